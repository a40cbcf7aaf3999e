// The fragment is the view: #/rules?q=pay&sort=-hits.
import { $, h, put, ago, show, plural, title, failure, announce } from './dom.js'
import { get } from './api.js'

const views = ['Overview', 'Rules', 'Explain', 'Reloads', 'Routes', 'Live', 'Fleet']
const main = $('main'), state = $('state')
let stop = new AbortController(), status = null, shown = ''

const go = async () => {
	const [asked, text] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s)
	const name = views.find(one => one.toLowerCase() === asked) ?? 'Overview', id = name.toLowerCase()
	stop.abort()
	const { signal } = stop = new AbortController()
	document.title = `${name} · Shunt`
	for (const link of document.querySelectorAll('#views a')) link.ariaCurrent = link.textContent === name ? 'page' : null
	main.removeAttribute('data-ready')
	try {
		status ??= await get('/status')
		const view = await import(`./${id}.js`)
		if (signal.aborted) return
		main.replaceChildren()
		await view[id](main, {
			query: new URLSearchParams(text ?? ''), signal, status,
			keep: query => history.replaceState(null, '', `#/${id}${query.size ? '?' + query : ''}`),
			// While it is seen.
			every: (seconds, work, until = signal) => {
				const timer = setInterval(() => document.hidden || work().catch(problem => {
					if (!until.aborted && problem.name !== 'TypeError') throw problem
				}), seconds * 1000)
				until.addEventListener('abort', () => clearInterval(timer))
			},
		})
		if (shown && shown !== id) { main.focus(); announce(name) }
		shown = id
	} catch (problem) {
		if (!signal.aborted) put(main, title(name), failure(problem))
	}
	if (!signal.aborted) main.dataset.ready = id
}

const refresh = async () => {
	const before = status
	try { status = await get('/status') } catch { return put(state, h('b', h('i.bad'), 'No answer')) }
	const problem = status.gate ? 'Rules wait for approval' : status.stale ? 'The files are not in use' : status.last_known_good ? 'An old copy serves' : ''
	put(state, h('b', h(`i.${problem ? status.gate ? 'warn' : 'bad' : 'good'}`), problem || 'In use'),
		`version ${status.version} · ${plural(status.rules, 'rule')}`, h('br'), `loaded ${ago(status.loaded)}`, status.machine && [h('br'), 'on ', show(status.machine)])
	const change = text => { announce(text); dispatchEvent(new Event('rules-changed')) }
	if (before && before.version !== status.version) change(`Version ${status.version} of the rules is in use`)
	else if (before && before.failures !== status.failures) change('Rules were not put into use')
}

$('skip').onclick = event => { event.preventDefault(); main.focus() }
addEventListener('hashchange', go)
// Of views that were left.
window.onunhandledrejection = event => { if (event.reason?.name === 'AbortError') event.preventDefault() }
addEventListener('rules-refresh', refresh)
await refresh()
put($('views'), views.filter(name => name !== 'Fleet' || status?.offers.includes('fleet')).map(name => h('li', h('a', { href: `#/${name.toLowerCase()}` }, name))))
setInterval(() => document.hidden || refresh(), 1000)
go()
