// The rules that run, of which only the rows in view are in the document.
import { h, put, ago, count, plural, show, code, pill, field, input, title, items, facts, empty, last, region, announce } from './dom.js'
import { get } from './api.js'
import { spark } from './charts.js'

// On a phone a row has two lines.
const narrow = matchMedia('(max-width: 760px)'), BLOCK = 100
const height = () => narrow.matches ? 64 : 36
const allColumns = [['place', 'Place'], ['text', 'Rule'], ['hits', 'Hits'], ['last', 'Last hit'], ['findings', 'Findings']]
const allFilters = [['never-hit', 'never hit'], ['not-hit-30-days', 'not hit for 30 days'], ['findings', 'with findings'], ['changed', 'changed in the last reload']]
const short = place => last(place).replace(/:\d+$/, '')

export const rules = async (main, { query, keep, signal, every, status }) => {
	// Without traffic there is nothing to count.
	const counts = status.offers.includes('traffic')
	const columns = allColumns.filter(([name]) => counts || !['hits', 'last'].includes(name))
	const filters = allFilters.filter(([name]) => counts || !name.includes('hit'))
	let list = { found: 0 }, blocks = new Map(), turn = 0, isBusy = false, closing = null
	const drawn = new Map()
	const asked = name => query.get(name) ?? ''
	const has = name => asked('filter').split(',').includes(name)
	const set = (name, value) => {
		if (value) query.set(name, value); else query.delete(name)
		keep(query)
	}
	const search = input(asked('q'), 'Text or file:line', { type: 'search', oninput: () => { set('q', search.value); load() } })
	const number = h('p', { role: 'status' })
	const buttons = filters.map(([name, text]) => h('button', { 'aria-pressed': has(name), 'data-filter': name, onclick: () => {
		set('filter', filters.map(([one]) => one).filter(one => has(one) !== (one === name)).join(','))
		for (const button of buttons) button.ariaPressed = has(button.dataset.filter)
		load()
	} }, text))
	const heads = columns.map(([name, text], index) => h(`${index > 1 ? '.num' : ''}`, { role: 'columnheader' }, h('button', { onclick: () => {
		const [up, down] = [name, `-${name}`], before = asked('sort') || 'place'
		set('sort', before === up ? down : before === down ? up : index > 1 ? down : up)
		load()
	} }, text)))
	const rows = h('.rows', { role: 'rowgroup' })
	const table = h(`.table${counts ? '' : '.uncounted'}`, { role: 'table', 'aria-label': 'Rules', tabindex: 0 }, h('div', { role: 'rowgroup' }, h('.row.top', { role: 'row' }, heads)), rows)
	const nothing = h('div'), detail = h('aside.detail', { 'aria-label': 'Rule', hidden: true })
	const split = h('.split', h('div', table, nothing), detail)
	put(main, title('Rules', number), h('.bar', field('Search', search, '.grow'), h('.bar', { role: 'group', 'aria-label': 'Filters' }, buttons)), split)

	const block = start => get(`/rules?${new URLSearchParams({ limit: BLOCK, after: start, q: asked('q'), sort: asked('sort') || 'place', filter: asked('filter') })}`, signal)
	const load = async stays => {
		const mine = ++turn
		const first = stays ? Math.floor(table.scrollTop / height() / BLOCK) * BLOCK : 0
		const answer = await block(first)
		if (mine !== turn) return
		list = answer
		blocks = new Map([[first, answer.rules]])
		if (!stays) table.scrollTop = 0
		heads.forEach((head, index) => { head.ariaSort = { [columns[index][0]]: 'ascending', [`-${columns[index][0]}`]: 'descending' }[asked('sort') || 'place'] ?? 'none' })
		// What changes a request and is no rule has a row as well, such as an allow.
		const isMore = list.rule_count !== list.all, shown = plural(list.all, isMore ? 'row' : 'rule')
		number.textContent = (list.found === list.all ? shown : `${count(list.found)} of ${shown}`) + (isMore ? `, ${plural(list.rule_count, 'rule')}` : '')
		table.ariaRowCount = list.found + 1
		rows.style.height = `${list.found * height()}px`
		table.hidden = list.found === 0
		put(nothing, table.hidden && empty('No rule matches', list.all ? 'Remove a word or a filter.' : 'The files have no rules.'))
		draw()
		performance.mark('rules-shown')
	}
	// One at a time: who scrolls fast sees what is in view by then, and waits for nothing that has passed.
	const more = async start => {
		if (isBusy) return
		isBusy = true
		const mine = turn
		try {
			const answer = await block(start)
			if (mine === turn) blocks.set(start, answer.rules)
		} finally { isBusy = false }
		draw()
	}
	// A row that says the same stays the same element, so that nobody loses the focus or a click.
	const draw = () => {
		const from = Math.max(0, Math.floor(table.scrollTop / height()) - 5), to = Math.min(list.found, from + Math.ceil(table.clientHeight / height()) + 12)
		for (const [index, { row }] of drawn) if (index < from || index >= to) { row.remove(); drawn.delete(index) }
		for (let index = from; index < to; index++) {
			const start = Math.floor(index / BLOCK) * BLOCK, rule = blocks.get(start)?.[index - start]
			if (!blocks.has(start)) more(start)
			const key = JSON.stringify([rule, rule?.id === asked('open'), rule?.last_hit && ago(rule.last_hit)]), before = drawn.get(index)
			if (before?.key === key) continue
			const row = line(rule, index), isFocused = before?.row.contains(document.activeElement)
			if (before) before.row.replaceWith(row); else rows.append(row)
			if (isFocused) row.querySelector('button')?.focus({ preventScroll: true })
			drawn.set(index, { key, row })
		}
	}
	const line = (rule, index) => {
		const cell = (selector, ...children) => h(selector, { role: 'cell' }, children)
		const isOpen = rule && rule.id === asked('open')
		const row = h(`.row${isOpen ? '.open' : ''}`, { role: 'row', 'aria-rowindex': index + 2, 'data-index': index }, !rule ? cell('.muted', '…') : [
			cell('.mono.muted', rule.changed && [h('span.pill', { title: 'changed in the last reload' }, 'new'), ' '], show(rule.name ?? short(rule.rule))),
			cell('', h('button.open-rule', { 'aria-expanded': isOpen, title: rule.text.slice(0, 500), onclick: () => choose(rule.id) }, show(rule.text)), rule.in && h('span.muted', ` in ${show(rule.in)}`)),
			counts && cell('.num', rule.hits == null ? h('span.muted', { title: 'It changes requests for the rules after it; decisions are counted.' }, 'changes') : count(rule.hits)),
			counts && cell('.num.muted', rule.last_hit ? ago(rule.last_hit) : rule.hits === 0 && 'never'),
			cell('.num', rule.findings > 0 && h('span.warn', count(rule.findings)))])
		row.style.top = `${index * height()}px`
		return row
	}

	const choose = async id => {
		set('open', id)
		closing?.abort()
		closing = new AbortController()
		const mine = AbortSignal.any([signal, closing.signal]), hits = [], chart = h('div')
		detail.hidden = false
		split.classList.add('has-detail')
		draw()
		const ask = () => get(`/rules/${encodeURIComponent(id)}`, mine)
		const rule = await ask()
		put(detail, card(rule, chart))
		announce(`Rule ${rule.rule}`)
		detail.querySelector('h2').focus({ preventScroll: true })
		if (!counts || rule.hits == null) return
		const tell = now => {
			hits.push(now.hits)
			if (hits.length > 61) hits.shift()
			detail.querySelector('[data-hits]').textContent = count(now.hits)
			put(chart, h('p.note', 'Hits every two seconds'), spark(hits.slice(1).map((value, index) => value - hits[index]), 'Hits every two seconds since the rule was opened'))
		}
		tell(rule)
		every(2, () => ask().then(tell, () => {}), mine)
	}
	const close = () => {
		const index = rows.querySelector('.open')?.dataset.index
		closing?.abort()
		set('open', '')
		detail.hidden = true
		split.classList.remove('has-detail')
		draw();
		(rows.querySelector(`[data-index="${index}"] button`) ?? table).focus()
	}
	const card = (rule, chart) => h('.card.list',
		h('.head', h('h2', { tabindex: -1 }, show(rule.name ?? short(rule.rule))), h('button', { onclick: close, 'aria-label': 'Close the rule' }, 'Close')),
		region('.code', 'The rule with its neighbours', (rule.lines ?? []).map((text, index) => {
			const number = rule.first_shown + index
			return h(`${number >= rule.line && number <= rule.last_line ? '.here' : ''}`, h('i', number), code(text || ' '))
		})),
		facts([
			counts && ['Hits', rule.hits == null ? 'not counted: it changes requests, and decides none' : h('span', { 'data-hits': true }, count(rule.hits))],
			counts && rule.hits != null && ['Last hit', rule.last_hit ? ago(rule.last_hit) : 'never'],
			counts && rule.hits != null && ['Counted since', ago(rule.counted_since)],
			['File', code(rule.file)],
			...Object.entries(rule.note ?? {}).map(([key, text]) => [key, show(text)]),
		]),
		chart,
		h('h3', 'Example'),
		rule.example ? [h('p', code(rule.example.shown)), h('p.muted', '→ ', show(rule.example.decision)), h('p', h('a.button', { href: `#/explain?${rule.example.query}` }, 'Explain it'))]
			: h('p.muted', `No example: ${rule.no_example ?? 'not searched'}.`),
		h('h3', 'Findings'),
		rule.finding_list ? items(rule.finding_list, 50, one => [pill(one.severity), ' ', show(`${one.message} [${one.code}]`),
			one.suggestion && h('p.muted', show(one.suggestion)), one.witness && h('p', code(one.witness))]) : h('p.muted', list.has_findings ? 'None.' : 'Lint has not run yet. Open the Overview to run it.'))

	main.addEventListener('keydown', event => { if (event.key === 'Escape' && !detail.hidden) close() }, { signal })
	table.onscroll = () => requestAnimationFrame(draw)
	addEventListener('resize', draw, { signal })
	narrow.addEventListener('change', () => { for (const { row } of drawn.values()) row.remove(); drawn.clear(); load(true) }, { signal })
	rows.onkeydown = event => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], row = event.target.closest('.row')
		if (!step || !row) return
		event.preventDefault()
		const next = Math.min(list.found - 1, Math.max(0, +row.dataset.index + step)), ROW = height(), top = next * ROW
		table.scrollTop = Math.max(Math.min(table.scrollTop, top), top + ROW + 40 - table.clientHeight)
		draw()
		rows.querySelector(`[data-index="${next}"] button`)?.focus({ preventScroll: true })
	}
	addEventListener('rules-changed', () => load(true), { signal })
	await load()
	if (asked('open')) choose(asked('open')).catch(close)
	every(2, () => load(true))
}
