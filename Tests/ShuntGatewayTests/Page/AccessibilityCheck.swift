#if Gateway
import Testing

/// The rules of axe-core that matter for this page, restated: names, labels, contrast, headings, landmarks, identifiers.
enum AccessibilityCheck {
    /// Records an issue for each fault of what the browser shows.
    static func check(_ browser: Browser, _ what: String) async throws {
        let faults = try await browser.run(script) as? [String] ?? ["the check gave nothing"]
        for fault in faults { Issue.record("\(what): \(fault)") }
    }

    private static let script = """
        const faults = [];
        const shown = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        const all = [...document.querySelectorAll('body *')].filter(shown);
        const describe = element => element.outerHTML.slice(0, 120);
        const name = element => {
          const by = element.getAttribute('aria-labelledby');
          if (by) return by.split(' ').map(id => document.getElementById(id)?.textContent ?? '').join(' ').trim();
          return (element.getAttribute('aria-label') ?? ([...(element.labels ?? [])].map(label => label.textContent).join(' ')
            || (element.matches('input, select, textarea') ? '' : element.textContent))).trim();
        };
        // button-name, link-name, label, select-name, svg-img-alt, role-img-alt, scrollable-region-focusable
        for (const element of document.querySelectorAll('a[href], button, input, select, textarea, [role=img], [role=table], [role=region], dialog[open], progress')) {
          if (shown(element) && !name(element)) faults.push('no name: ' + describe(element));
        }
        for (const element of all) {
          const style = getComputedStyle(element);
          const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY) && (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
          if (scrolls && element.tabIndex < 0 && !element.querySelector('a[href], button, input')) faults.push('scrolls without the keyboard: ' + describe(element));
          if (element.tabIndex > 0) faults.push('tabindex: ' + describe(element));
        }
        // duplicate-id
        const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
        for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) faults.push('twice: #' + id);
        // heading-order, page-has-heading-one, landmarks, html-has-lang, document-title
        const levels = [...document.querySelectorAll('h1, h2, h3, h4')].filter(shown).map(element => +element.tagName[1]);
        if (levels.filter(level => level === 1).length !== 1) faults.push('not one h1');
        levels.reduce((before, level) => { if (level > before + 1) faults.push('h' + level + ' behind h' + before); return level; }, 0);
        for (const landmark of ['main', 'nav', 'header']) if (document.querySelectorAll('body > ' + landmark + ', body > header > ' + landmark).length !== 1) faults.push('landmark ' + landmark);
        if (!document.documentElement.lang || !document.title) faults.push('no language or title');
        // aria-required-children, aria-required-parent
        for (const [role, parents] of [['row', '[role=rowgroup], [role=table]'], ['cell', '[role=row]'], ['columnheader', '[role=row]']]) {
          for (const element of document.querySelectorAll('[role=' + role + ']')) if (!element.parentElement.closest(parents)) faults.push('no parent: ' + describe(element));
        }
        // color-contrast
        const parse = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
        const mix = (top, under) => [0, 1, 2].map(index => top[index] * top[3] + under[index] * (1 - top[3])).concat(1);
        const behind = element => {
          let layers = [];
          for (let one = element; one; one = one.parentElement) {
            const colour = parse(getComputedStyle(one).backgroundColor);
            if (colour[3] > 0) layers.push(colour);
            if (colour[3] === 1) break;
          }
          return layers.reverse().reduce((under, top) => mix(top, under), [255, 255, 255, 1]);
        };
        const light = colour => colour.slice(0, 3).map(value => value / 255).map(value => value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
          .reduce((sum, value, index) => sum + value * [.2126, .7152, .0722][index], 0);
        for (const element of all) {
          if (element.closest('[disabled], .unseen, .skip') || ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
          const style = getComputedStyle(element), under = behind(element);
          const colour = mix(parse(element instanceof SVGElement ? style.fill : style.color), under);
          const [high, low] = [light(colour), light(under)].sort((a, b) => b - a);
          const ratio = (high + .05) / (low + .05), size = parseFloat(style.fontSize);
          if (ratio < (size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5)) faults.push('contrast ' + ratio.toFixed(2) + ': ' + describe(element));
        }
        return [...new Set(faults)].slice(0, 20);
        """
}
#endif
