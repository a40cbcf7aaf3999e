import Shunt
import ShuntPatterns

/// The registries below which most names of the open network are: an excerpt of the public suffix list.
enum PublicSuffixes {
    static let all: [String] = """
        com net org info biz name pro mobi tel travel jobs asia cat coop museum aero edu gov mil int arpa
        app dev page new web xyz online site store shop blog cloud tech live life world today news media space website fun icu top club vip
        email link click digital agency studio design photo photos pictures gallery art music video tv radio fm games game bet casino
        bank insurance finance money fund capital ventures partners company business center solutions services systems network software
        academy school university education training courses health care clinic dental doctor hospital pharmacy fitness yoga
        restaurant pizza cafe bar beer wine coffee kitchen recipes farm garden house homes land properties rent estate apartments
        hotel holiday vacations flights tours cruises taxi auto car cars bike parts tools supply repair cleaning plumbing
        fashion clothing shoes jewelry diamonds beauty hair makeup gifts toys kids baby family pet vet dog
        law legal attorney lawyer tax accountants consulting management marketing social chat community foundation charity church
        london berlin paris tokyo nyc amsterdam wien hamburg koeln eu eus gal scot wales africa lat
        ac ad ae af ag ai al am ar as at au aw ax az ba bd be bg bh bi bo br bs bw by bz ca cc cd ch ci cl cm cn co cr cu cv cw cx cy cz
        de dj dk dm do dz ec ee eg es et fi fj fo fr ga gb ge gf gg gh gi gl gm gn gp gr gt gu gy hk hn hr ht hu id ie il im in io iq ir is
        it je jm jo jp ke kg kh ki km kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mk ml mm mn mo mq mr ms mt mu mv mw mx my
        mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl
        sm sn so sr st su sv sx sy tc td tf tg th tj tk tl tm tn to tr tt tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za
        zm zw
        co.uk org.uk me.uk ltd.uk plc.uk net.uk sch.uk ac.uk gov.uk nhs.uk com.au net.au org.au edu.au gov.au id.au asn.au
        co.nz net.nz org.nz ac.nz govt.nz school.nz co.za org.za web.za gov.za co.jp ne.jp or.jp ac.jp go.jp ad.jp ed.jp gr.jp lg.jp
        com.br net.br org.br gov.br edu.br com.cn net.cn org.cn gov.cn edu.cn ac.cn com.hk org.hk edu.hk gov.hk com.tw org.tw edu.tw
        gov.tw com.sg org.sg edu.sg gov.sg com.my net.my org.my gov.my co.kr or.kr go.kr ac.kr re.kr co.in net.in org.in gov.in ac.in
        firm.in com.tr org.tr gov.tr edu.tr com.mx org.mx gob.mx edu.mx com.ar org.ar gob.ar com.co org.co gov.co com.pe com.ve com.ec
        com.uy com.py com.bo com.ua org.ua gov.ua in.ua com.ru org.ru co.il org.il ac.il gov.il co.th ac.th go.th or.th in.th com.vn
        co.id or.id ac.id go.id web.id com.ph com.pk com.bd com.np com.lk com.sa com.eg com.ng com.gh co.ke co.tz co.ug co.zw com.pl
        net.pl org.pl gov.pl edu.pl com.es org.es com.pt gov.pt com.gr com.cy com.mt co.at or.at ac.at gv.at co.hu com.ro com.hr com.mk
        github.io gitlab.io pages.dev workers.dev web.app firebaseapp.com netlify.app vercel.app herokuapp.com blogspot.com
        cloudfront.net azurewebsites.net s3.amazonaws.com appspot.com fly.dev onrender.com
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)
}

extension LintSubject {
    func publicSuffixBlock() -> [LintFound] {
        rules.compactMap { rule in
            guard let table = blockedHosts(rule) else { return nil }
            let found = PublicSuffixes.all.filter { suffix in
                let name = Array(suffix.utf8)
                return !table.hasWildcard(above: name) && table.covers(name, itself: false, below: true)
            }
            guard let first = found.first else { return nil }
            let others = found.count > 1 ? ", and \(found.count - 1) more registries" : ""
            let message = "this blocks every host below \(first)\(others)"
            return LintFound(rule.position, message, advice: "name the hosts that are meant")
        }
    }
}
