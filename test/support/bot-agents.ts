/** User-Agent headers of bots, one per line. */

/** Search engines, collectors of training data, previews of links, monitors, feed readers, libraries. */
const PROGRAMS = `
Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.61 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)
facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
WhatsApp/2.24.11.85 A
TelegramBot (like TwitterBot)
Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)
Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36
UptimeRobot/2.0
Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)
Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)
DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)
Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)
Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36
CCBot/2.0 (https://commoncrawl.org/faq/)
meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)
Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)
Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)
Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)
Twitterbot/1.0
LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)
Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)
Pinterestbot/1.0 (+http://www.pinterest.com/bot.html)
SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com
Viber
Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5
Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)
Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)
Mozilla/5.0 (compatible; StatusCake)
Better Uptime Bot Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.212 Safari/537.36
Feedly/1.0 (+http://www.feedly.com/fetcher.html; 42 subscribers; like FeedFetcher-Google)
FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)
Inoreader/1.0 (+http://www.inoreader.com/feed-fetcher; 7 subscribers; )
Tiny Tiny RSS/24.06 (https://tt-rss.org/)
FreshRSS/1.24.1 (Linux; https://freshrss.org)
Miniflux/2.1.3 (+https://miniflux.app)
NewsBlur Feed Fetcher - 12 subscribers - https://www.newsblur.com/site/1/x
Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Chrome-Lighthouse
Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1
Scrapy/2.11.2 (+https://scrapy.org)
kube-probe/1.29
ELB-HealthChecker/2.0
W3C_Validator/1.3 http://validator.w3.org/services
Google-Read-Aloud
Mozilla/5.0 (Linux; Android 7.0; SM-G930V Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/59.0.3071.125 Mobile Safari/537.36 (compatible; Google-Read-Aloud; +https://support.google.com/webmasters/answer/1061943)
Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)
`;

/** Names that begin like a tool of people and are another program's, and programs that only name one. */
const ALIKE = `
curlbot/1.0
libcurl-agent/1.0
wget-spider
nodebot/1.0
Rubycrawler
JavaSpider/2.0
PHPCrawl
Javascript-crawler
okhttpd/1.0
calibrebot
Mozilla/5.0 (compatible; MyCrawler/1.0; python-requests/2.32.3)
Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)
sqlmap/1.8.5#stable (https://sqlmap.org)
Nuclei - Open-source project (github.com/projectdiscovery/nuclei)
masscan/1.3 (https://github.com/robertdavidgraham/masscan)
Mozilla/5.0 zgrab/0.x
PostmanRuntime/7.39.0
`;

export const BOT_AGENTS = PROGRAMS.trimEnd() + ALIKE.trimEnd();

/** Libraries, sites, download managers, command-line tools and reading apps, as they name themselves. */
export const TOOL_AGENTS = `
node
node-fetch/1.0 (+https://github.com/bitinn/node-fetch)
node-fetch
undici
Deno/1.44.4
Bun/1.1.17
got (https://github.com/sindresorhus/got)
axios/1.7.2
node-superagent/8.0.9
okhttp/4.12.0
Java/17.0.11
Java-http-client/21.0.3
Apache-HttpClient/4.5.14 (Java/17.0.11)
Apache-HttpAsyncClient/4.1.5 (Java/17.0.11)
ReactorNetty/1.1.19
ktor-client
Dart/3.4 (dart:io)
Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7 Build/TQ3A.230901.001)
Dillo/3.0.5
NetSurf/3.10 (Linux)
GStreamer souphttpsrc 1.22.0 libsoup/3.2.2
WinampMPEG/5.09
KyBook/3 CFNetwork/1494.0.7 Darwin/23.4.0
CFNetwork/1494.0.7
python-requests/2.32.3
Python-urllib/3.12
python-httpx/0.27.0
Python/3.12 aiohttp/3.9.5
Go-http-client/1.1
Go-http-client/2.0
go-resty/2.13.1 (https://github.com/go-resty/resty)
reqwest/0.12.4
RestSharp/111.3.0.0
libwww-perl/6.77
LWP::Simple/6.77 libwww-perl/6.77
HTTP-Tiny/0.088
Ruby
Faraday v2.9.2
rest-client/2.1.0 (linux x86_64) ruby/3.3.3p89
http.rb/5.2.0
Typhoeus - https://github.com/typhoeus/typhoeus
GuzzleHttp/7
GuzzleHttp/6.5.5 curl/7.81.0 PHP/8.1.2
PHP/8.3.4
Symfony HttpClient (Curl)
WordPress/6.5.5; https://example.org
Drupal/10.2.6 (+https://www.drupal.org/) GuzzleHttp/7
TYPO3/12.4
curl/8.5.0
Wget/1.21.4
Wget/1.20.3 (linux-gnu)
Wget2/2.1.0
Wget
aria2/1.36.0
Axel/2.17.11 (linux-gnu)
HTTPie/3.2.2
xh/0.22.2
lftp/4.9.2
Microsoft BITS/7.8
PowerShell/7.4.3
AndroidDownloadManager/13 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014)
AndroidDownloadManager/4.4.4 (Linux; U; Android 4.4.4; XT1032 Build/KXB21.14-L1.40)
FDM 3.x
Free Download Manager/6.19.1
JDownloader
Motrix/1.8.19
XDM/8.0
Xtreme Download Manager/8.0.29
Download Master
Download Master 6.26
Persepolis/3.2.0
EagleGet/2.1
Gopeed/1.5.6
DownThemAll
VLC/3.0.20 LibVLC/3.0.20
LibVLC/3.0.0-git
mpv 0.37.0
Lavf/60.16.100
stagefright/1.2 (Linux;Android 13)
ExoPlayerLib/2.18.1
AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5 like Mac OS X; en_us)
NSPlayer/12.00.19041.3570 WMFSDK/12.00.19041.3570
Windows-Media-Player/12.0
foobar2000/1.6.16
BookPlayer/5.2
AntennaPod/3.4.0
KOReader/2025.04 (https://koreader.rocks/) LuaSocket/3.1.0
KOReader/2024.11 (Kobo_clara; Linux; x64) LuaSocket/3.1.0
calibre/7.10
calibre 7.10.0
Moon+ Reader/9.1
Librera/9.0.47
ReadEra
FBReader/3.7.5 (Android)
Thorium/3.0.0
Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) EDRLab.ThoriumReader/3.0.0 Chrome/126.0.6478.127 Electron/31.2.0 Safari/537.36
Mozilla/5.0 (Linux; U; Android 2.0; en-us;) AppleWebKit/538.1 (KHTML, like Gecko) Version/4.0 Mobile Safari/538.1 (Kobo Touch 0377/4.38.23171)
`;
