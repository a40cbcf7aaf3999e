import { h, put, count, duration, show, code, pill, field, input, title, headings, empty, region, rulesLink, announce } from './dom.js'
import { listen } from './api.js'

const MOST = 300
export const live = async (main, { query, keep, signal, status, every }) => {
	put(main, title('Live', 'A uniform sample of at most 50 decisions a second'))
	if (!status.offers.includes('live')) return main.append(empty('No requests arrive here', 'shunt serve shows them; this page is for editing rules.'))
	const kinds = ['forward', 'redirect', 'degrade', 'respond', 'block', 'fail']
	const filters = {
		kind: h('select', h('option', { value: '' }, 'all kinds'), kinds.map(one => h('option', { value: one, selected: query.get('kind') === one }, one))),
		rule: input(query.get('rule'), 'rules/20'), host: input(query.get('host'), 'example.com'),
	}
	const pause = h('button', { 'aria-pressed': false, onclick: () => {
		isPaused = !isPaused
		pause.ariaPressed = isPaused
		pause.textContent = isPaused ? 'Resume' : 'Pause'
		if (isPaused) { stop.abort(); tell('Paused.') } else open()
	} }, 'Pause')
	const told = h('p.note#lost', { role: 'status' })
	const waiting = h('tr', h('td.empty', { colspan: 7 }, 'Waiting for decisions …')), rows = h('tbody', waiting)
	main.append(h('.bar', field('Kind', filters.kind), field('Rule', filters.rule), field('Host', filters.host), pause), told,
		region('.live', 'Decisions', h('table', headings(['Time', 'Decision', 'Status', 'Method', 'URL', 'Took', 'Rule']), rows)))

	let stop = null, isPaused = false, lost = 0, seen = 0, fresh = []
	const tell = text => { told.textContent = text ?? `${count(seen)} shown, ${count(lost)} left out` }
	const line = one => h('tr', h('td.mono.muted', one.time.slice(11, 19)), h('td', pill(one.decision)), h('td.num', one.status), h('td', show(one.method)),
		h('td.where', code(one.host + one.target), one.url != null && one.url.replace(/^https?:\/\//, '') !== one.host + one.target && h('.muted', '→ ', code(one.url)), one.reason && h('.bad', show(one.reason))),
		h('td.num', duration(one.microseconds)), h('td', one.rule && rulesLink(one.rule)))
	const flush = async () => {
		if (!fresh.length) return
		waiting.remove()
		rows.prepend(...fresh.reverse().map(line))
		fresh = []
		while (rows.childElementCount > MOST) rows.lastElementChild.remove()
		tell()
	}
	const open = async () => {
		stop?.abort()
		stop = new AbortController()
		const mine = AbortSignal.any([signal, stop.signal])
		const asked = new URLSearchParams(Object.entries(filters).map(([name, control]) => [name, control.value]).filter(([, value]) => value))
		keep(asked)
		try {
			await listen(asked, (event, value) => {
				if (mine.aborted) return
				if (event === 'open') { main.dataset.listening = true; tell('Listening.') }
				else if (event === 'decision') { seen++; fresh = [...fresh.slice(1 - MOST), value] }
				else if (event === 'lost') { lost += value.count; tell() }
				else announce(event === 'held' ? 'Rules wait for approval' : `Version ${value.version} of the rules`)
			}, mine)
			if (!mine.aborted) tell('The gateway has ended the stream.')
		} catch (problem) {
			if (!mine.aborted) tell(problem.status === 503 ? 'Eight viewers are connected already: try again when one has left.' : 'The connection is lost.')
		}
	}
	for (const control of Object.values(filters)) control.onchange = () => { put(rows, waiting); [seen, lost] = [0, 0]; if (!isPaused) open() }
	every(.1, flush)
	open()
}
