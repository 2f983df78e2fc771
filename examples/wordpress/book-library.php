<?php
/**
 * Plugin Name: Book library
 * Description: Shows the books of a book distribution service where a page has the shortcode [book_library].
 * Version: 1.0.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * License: MIT
 */

/*
 * The address of the service is in wp-config.php:
 *   define('BOOK_LIBRARY_SERVICE', 'https://books.example.org');
 * and this site in CORS_ORIGINS of the service. The attributes are those of docs/public-site.md, with `_` in place of `-`.
 */

defined('ABSPATH') || exit;

/** The address of the service without a slash at its end; empty for what isn't one. */
function book_library_service() {
    $address = defined('BOOK_LIBRARY_SERVICE') ? esc_url_raw(BOOK_LIBRARY_SERVICE, ['http', 'https']) : '';
    return untrailingslashit($address);
}

/** @return string HTML in which each value is escaped */
function book_library_shortcode($given, $content = '') {
    $service = book_library_service();
    if ($service === '') {
        return current_user_can('edit_posts')
            ? '<p>' . esc_html('[book_library]: BOOK_LIBRARY_SERVICE is missing in wp-config.php.') . '</p>'
            : '';
    }
    $names = ['language', 'languages', 'channel', 'book', 'search', 'limit', 'text_version', 'privacy_url'];
    $values = shortcode_atts(array_fill_keys($names, ''), $given, 'book_library');
    // Only pages with the shortcode load the script. Before WordPress 6.3, the last value puts it at the end of the page.
    wp_enqueue_script('book-library', $service . '/api/widget.js', [], null, ['strategy' => 'defer']);
    $attributes = ' service="' . esc_url($service) . '"';
    foreach ($values as $name => $value) {
        // Empty, too, for an address that is none of the web.
        $escaped = $name === 'privacy_url' ? esc_url($value, ['http', 'https']) : esc_attr($value);
        if ($escaped !== '') {
            $attributes .= ' ' . str_replace('_', '-', $name) . '="' . $escaped . '"';
        }
    }
    $link = $content === '' || $content === null ? $service : wp_strip_all_tags($content);
    return '<book-library' . $attributes . '><a href="' . esc_url($service) . '">' . esc_html($link) . '</a></book-library>';
}

add_shortcode('book_library', 'book_library_shortcode');
