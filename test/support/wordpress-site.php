<?php
/*
 * Installs WordPress, activates the plug-in and adds pages, or changes the theme. Arguments: the folder of WordPress, and
 * what there is to do as JSON. Prints the addresses of the pages as JSON.
 */

error_reporting(E_ERROR);
[, $folder, $json] = $argv;
$todo = json_decode($json, true, 512, JSON_THROW_ON_ERROR);
$_SERVER['HTTP_HOST'] = $todo['host'];
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', isset($todo['pages']));
require $folder . '/wp-load.php';

function orFail($result) {
    if (is_wp_error($result)) {
        fwrite(STDERR, $result->get_error_message() . "\n");
        exit(1);
    }
    return $result;
}

if (isset($todo['pages'])) {
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    wp_install('Parish', $todo['user'], 'anna@example.org', true, '', $todo['password']);
    orFail(activate_plugin('book-library.php'));
    // Texts of who may write any HTML aren't changed.
    wp_set_current_user(1);
    foreach ($todo['pages'] as $name => $content) {
        $page = ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => "Page $name"];
        $id = orFail(wp_insert_post(wp_slash($page + ['post_content' => $content]), true));
        $addresses[$name] = get_permalink($id);
    }
}
if (isset($todo['theme'])) {
    orFail(wp_get_theme($todo['theme'])->errors() ?: null);
    switch_theme($todo['theme']);
}
echo json_encode($addresses ?? new stdClass());
