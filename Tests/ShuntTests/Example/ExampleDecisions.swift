/// The decisions of the example rules about each of their sample requests.
///
/// An outcome is the decision with its status, URL and body, `by` the rule that made it, the headers it adds, and `to`
/// the route that a forwarded request reaches, with its parameters.
enum ExampleDecisions {
    static let table: [(request: String, outcome: String)] = read(
        #"""
        {"url": "kl://Cashier/checkout?id=1", "input": {"app_version": "3.4.0"}}
            forward kl://Pay/checkout?id=1 by 10-hosts.conf:6:1 to app.pay page=checkout
        https://www.old.example.com/item/3
            forward https://www.example.com/item/3 by 10-hosts.conf:9:1 to web.item id=3
        http://wap.example.cn/item/7
            forward http://m.example.com/item/7 by 10-hosts.conf:11:1 to web.item id=7
        https://www.example.cn/item/8?from=cn
            forward https://www.example.com/item/8?from=cn by 10-hosts.conf:11:1 to web.item id=8
        https://shop42.example.com/product/9
            forward https://s42.shop.example.com/product/9 by 10-hosts.conf:14:1 to shop.product shop=s42 id=9
        https://shop42.example.com/
            forward https://s42.shop.example.com/window/s42 by 50-web.conf:125:5 to shop.window shop=s42 window=s42
        kl://Help/index
            degrade https://m.example.com/help by 20-degrade.conf:10:1
        kl://Forum/thread/5
            degrade https://m.example.com/forum by 20-degrade.conf:11:1
        kl://Coupon/SPRING26
            degrade https://m.example.com/coupon/SPRING26 by 20-degrade.conf:12:1
        kl://Archive/2019/page
            degrade https://m.example.com/app/upgrade by 20-degrade.conf:13:1
        kl://legacy/start
            degrade https://m.example.com/app/upgrade by 20-degrade.conf:13:1
        {"url": "kl://Cashier/checkout?id=1", "input": {"app_version": "3.1.9"}}
            degrade https://m.example.com/pay/checkout?id=1 by 20-degrade.conf:17:5
        {"url": "kl://Pay/checkout", "input": {"app_version": "3.10.0"}}
            forward kl://Pay/checkout to app.pay page=checkout
        {"url": "kl://Camera/scan", "input": {"app_version": "4.0.2", "platform": "ios"}}
            degrade https://m.example.com/scan?reason=ios by 20-degrade.conf:22:5
        {"url": "kl://Camera/scan", "input": {"app_version": "4.1.0-beta.1", "platform": "ios"}}
            degrade https://m.example.com/scan?reason=ios by 20-degrade.conf:22:5
        {"url": "kl://Camera/scan", "input": {"app_version": "4.0.3", "platform": "ios"}}
            forward kl://Camera/scan to app.scan
        {"url": "kl://Camera/scan", "input": {"app_version": "4.0.1", "platform": "android"}}
            degrade https://m.example.com/scan?reason=android by 20-degrade.conf:24:5
        {"url": "kl://Camera/scan", "input": {"app_version": "4.0.2", "platform": "android"}}
            forward kl://Camera/scan to app.scan
        {"url": "kl://Camera/scan", "input": {"app_version": "2.8.1", "platform": "android"}}
            degrade https://m.example.com/scan?reason=old by 20-degrade.conf:27:9
        {"url": "kl://Search/result?q=tea", "input": {"device_id": "device-5"}}
            degrade https://m.example.com/search?q=tea by 20-degrade.conf:38:5
        {"url": "kl://Search/result?q=tea", "input": {"device_id": "device-1"}}
            forward kl://Search/result?q=tea&group=native by 20-degrade.conf:41:1 to app.search
        {"url": "kl://Venue/shoes", "time": "2036-11-10T15:59:59Z"}
            degrade https://m.example.com/festival/shoes by 20-degrade.conf:46:5
        {"url": "kl://Venue/shoes", "time": "2036-11-10T16:00:00Z"}
            forward kl://Venue/shoes to app.venue venue=shoes
        {"url": "kl://Venue/shoes", "time": "2036-11-11T23:30:00+08:00"}
            forward kl://Venue/shoes to app.venue venue=shoes
        {"url": "kl://Venue/shoes", "time": "2036-11-11T16:00:00Z"}
            degrade https://m.example.com/festival/shoes by 20-degrade.conf:46:5
        {"url": "kl://Live/7", "time": "2026-11-24T01:59:59Z"}
            forward kl://Live/7 to app.live room=7
        {"url": "kl://Live/7", "time": "2026-11-24T02:00:00Z"}
            degrade https://m.example.com/live/back-soon by 20-degrade.conf:51:5
        {"url": "kl://Live/7", "time": "2026-11-24T03:59:59.999Z"}
            degrade https://m.example.com/live/back-soon by 20-degrade.conf:51:5
        {"url": "kl://Live/7", "time": "2026-11-24T04:00:00Z"}
            forward kl://Live/7 to app.live room=7
        https://ads.example.com/banner.js
            block 403 by 30-blocklist.conf:4:1
        https://eu.tracker.example/pixel.gif
            block 403 by 30-blocklist.conf:4:1
        https://ad12.media.example/
            block 403 by 30-blocklist.conf:4:1
        https://tracker.example/about
            respond 444 by 50-web.conf:26:5
        https://www.example.com/WP-Admin/setup.php
            block 410 by 30-blocklist.conf:7:1
        https://www.example.com/.env
            block 404 by 30-blocklist.conf:10:1
        https://www.example.com/.env.txt
            forward https://www.example.com/.env.txt
        kl://Debug/console
            block 403 by 30-blocklist.conf:11:1
        https://a.banners.example/1.png
            block 451 by 30-blocklist.conf:14:1
        https://pixel.example/
            block 451 by 30-blocklist.conf:14:1
        https://cdn.example/ads/1.png
            respond 444 by 50-web.conf:26:5
        https://partner.example.net/feed
            block 401 by 30-blocklist.conf:19:9
        https://partner.example.net/feed?token=abc
            forward https://partner.example.net/feed?token=abc to partner.feed
        http://partner.example.net/feed?token=abc
            forward http://partner.example.net/feed?token=abc to partner.feed
        {"url": "https://item.example.com/i1234.htm", "input": {"app_version": "3.4.0"}}
            forward kl://Item/detail?id=1234 by 40-legacy.conf:5:5 to app.item
        {"url": "https://m.example.com/item.htm?spm=a.b&id=55&x=1", "input": {"app_version": "3.4.0"}}
            forward kl://Item/detail?id=55 by 40-legacy.conf:6:5 to app.item
        {"url": "https://u.example.com/anna", "input": {"app_version": "3.4.0"}}
            forward kl://User/anna by 40-legacy.conf:7:5 to app.user name=anna
        {"url": "https://u.example.com/me", "input": {"app_version": "3.4.0"}}
            forward kl://User/me by 40-legacy.conf:7:5 to app.me
        {"url": "https://shop42.example.com/", "input": {"app_version": "3.4.0"}}
            forward kl://Shop/42 by 40-legacy.conf:8:5 to app.shop shop=42
        https://item.example.com/i1234.htm
            redirect 301 https://www.example.com/item/1234 by 40-legacy.conf:12:1
        https://sale.example.com/shoes?size=40
            redirect 302 https://www.example.com/campaign/shoes?size=40 by 40-legacy.conf:13:1
        http://www.example.com/feedback/sent
            redirect 303 https://www.example.com/thanks by 40-legacy.conf:14:1
        {"url": "https://api.example.com/v1/orders?page=2", "method": "POST"}
            redirect 308 https://api.example.com/v2/orders?page=2 by 40-legacy.conf:15:1
        market://details?id=com.example.reader
            forward https://www.example.com/apps/reader by 40-legacy.conf:18:1 to web.app package=reader
        http://s1.shop.example.com/cart
            redirect 301 https://s1.shop.example.com/cart by 40-legacy.conf:23:5
        http://s1.shop.example.com/keep/prices
            forward http://s1.shop.example.com/keep/prices by 40-legacy.conf:22:26
        https://s1.shop.example.com/p/17?colour=red
            forward https://s1.shop.example.com/product/17?colour=red by 40-legacy.conf:25:5 to shop.product shop=s1 id=17
        http://files.example.com:8080/manual.pdf
            forward https://static.example.com/files/manual.pdf by 40-legacy.conf:33:5 to static.file file=manual.pdf
        kl://Item/detail?id=7&utm_source=mail
            forward kl://Item/detail?id=7 by 40-legacy.conf:41:9 to app.item
        kl://Item/detail?id=7&utm_medium=mail&from=push
            forward kl://Item/detail?id=7&from=push by 40-legacy.conf:39:9 to app.item
        https://help.example.com/payment/refund
            forward kl://HelpCentre/payment/refund by 40-legacy.conf:46:1 to app.help topic=payment/refund
        http://unknown.example/
            respond 444 by 50-web.conf:26:5
        http://example.com/item/1?a=b
            redirect 301 https://www.example.com/item/1?a=b by 50-web.conf:34:5
        https://shop.www.example.com/
            redirect 301 https://www.example.com/ by 50-web.conf:34:5
        https://www.example.com/
            respond 200 "shop for desktop\n" by 50-web.conf:62:9 X-Device:desktop
        {"url": "https://www.example.com/item/1", "headers": {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Mobile/15E148"}}
            redirect 302 https://m.example.com/item/1 by 50-web.conf:50:26 X-Device:phone
        {"url": "https://www.example.com/", "headers": {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Mobile/15E148", "Cookie": "desktop=1"}}
            respond 200 "shop for phone\n" by 50-web.conf:62:9 X-Device:phone
        {"url": "https://m.example.com/item/1", "headers": {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Mobile/15E148"}}
            forward https://m.example.com/item/1 to web.item id=1
        {"url": "https://m.example.com/", "headers": {"User-Agent": "Mozilla/5.0 (iPad; CPU OS 19_0)"}}
            respond 200 "shop for tablet\n" by 50-web.conf:62:9 X-Device:tablet
        https://www.example.com/spring
            forward https://www.example.com/page/campaign?name=spring&year=2026 by 50-web.conf:86:9 to web.campaign
        https://www.example.com/autumn
            forward https://www.example.com/page/campaign?name=autumn&year=2026 by 50-web.conf:86:9 to web.campaign
        https://www.example.com/c/singles
            forward https://www.example.com/page/campaign?name=singles&year=2026 by 50-web.conf:86:9 to web.campaign
        https://www.example.com/index.php
            redirect 301 https://www.example.com/ by 50-web.conf:56:5 X-Device:desktop
        https://www.example.com/product/31.html?from=mail
            redirect 302 https://www.example.com/item/31?from=mail by 50-web.conf:57:5 X-Device:desktop
        https://www.example.com/users/anna/orders/77
            forward https://www.example.com/order/77?user=anna by 50-web.conf:58:5 to web.order id=77
        https://www.example.com/~anna/photos
            forward https://www.example.com/home/anna/photos by 50-web.conf:59:5 to web.home user=anna folder=photos
        https://www.example.com/ping
            respond 204 by 50-web.conf:66:9 X-Device:desktop
        https://www.example.com/static/v12/app.css
            forward https://www.example.com/static/app.css by 50-web.conf:71:9 to web.static file=app.css
        {"target": "/static/app.css", "host": "www.example.com", "method": "POST", "listen": "443"}
            respond 405 by 50-web.conf:70:50
        https://www.example.com/item/1
            forward https://www.example.com/item/1 to web.item id=1
        https://www.example.com/item/0042
            forward https://www.example.com/item/42 by 50-web.conf:78:9 to web.item id=42
        https://www.example.com/item/42/reviews
            redirect 302 https://www.example.com/reviews?item=42 by 50-web.conf:76:13 X-Device:desktop
        https://www.example.com/info.php
            respond 410 by 50-web.conf:90:9
        https://www.example.com/fr/search?q=vin
            forward https://www.example.com/search?lang=fr&q=vin by 50-web.conf:96:9 to web.search
        https://www.example.com/fr/search?q=vin&lang=en
            forward https://www.example.com/search?q=vin&lang=en by 50-web.conf:94:9 to web.search
        {"url": "https://www.example.com/admin/users", "remote_addr": "192.0.2.7"}
            forward https://www.example.com/backoffice/users?office=1 by 50-web.conf:104:9 to web.admin page=users
        {"url": "https://www.example.com/admin/users", "remote_addr": "2001:db8::7"}
            forward https://www.example.com/backoffice/users?office=1 by 50-web.conf:104:9 to web.admin page=users
        {"url": "https://www.example.com/admin/users", "remote_addr": "198.51.100.7"}
            forward https://www.example.com/backoffice/users?office=0 by 50-web.conf:104:9 to web.admin page=users
        {"url": "https://www.example.com/admin/users", "remote_addr": "203.0.113.7"}
            respond 403 by 50-web.conf:103:9
        https://www.example.com/cart
            forward https://www.example.com/cart to web.cart
        {"url": "https://www.example.com/cart", "method": "POST"}
            forward https://www.example.com/cart to web.cart.add
        {"url": "https://www.example.com/cart", "method": "DELETE"}
            respond 403 by 50-web.conf:108:33
        https://www.example.com/missing/page
            respond 404 "nothing here\n" by 50-web.conf:117:9
        https://www.example.com/not-found
            respond 404 "nothing here\n" by 50-web.conf:117:9
        https://api.example.com/orders
            forward https://api.example.com/v2/orders by 50-web.conf:142:5 to api.call version=2 call=orders
        http://api.example.com/orders
            forward http://api.example.com/v2/orders by 50-web.conf:142:5 to api.call version=2 call=orders
        https://api-v3.example.com/v1/orders
            forward https://api-v3.example.com/v3/orders by 50-web.conf:142:5 to api.call version=3 call=orders
        {"target": "/item/9", "host": "WWW.example.com"}
            forward http://WWW.example.com/item/9 to web.item id=9
        """#
    )

    private static func read(_ text: String) -> [(request: String, outcome: String)] {
        let lines = text.split(separator: "\n").map(String.init)
        return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], String(lines[$0 + 1].dropFirst(4))) }
    }
}
