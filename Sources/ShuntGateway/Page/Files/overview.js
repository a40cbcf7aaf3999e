import { h, put, ago, count, plural, duration, show, pill, title, card, items, empty, rulesLink, last } from './dom.js'
import { get } from './api.js'
import { stacked, heat } from './charts.js'

// So many rules are looked over without being asked.
const AUTOMATIC = 20000
const tile = (text, big, below, view) => h('section.card.tile', h('h2', text), h('p.big', big), h('p', view ? h('a', { href: `#/${view}` }, below) : below))
const sum = numbers => numbers.reduce((a, b) => a + b, 0)

export const overview = async (main, { status, signal, every }) => {
	const tiles = h('.grid'), pictures = h('.two'), reached = h('div'), found = h('div')
	put(main, title('Overview', h('p', show(last(status.source)))), tiles, pictures, h('.two', reached, found))
	const offers = (name, path) => status.offers.includes(name) ? get(path, signal) : null
	let findings = null, wanted = status.rules <= AUTOMATIC

	const draw = async () => {
		const [state, traffic, { attempts: [attempt] }, looked] = await Promise.all([get('/status', signal), offers('traffic', '/traffic'), get('/history', signal), wanted && !findings ? get('/findings', signal) : null])
		if (signal.aborted) return
		// Until lint has finished, the answer has no findings.
		if (looked?.schema) put(found, drawFindings((findings = looked).findings))
		const bound = time => time === undefined ? '–' : time === null ? '> 5 s' : `≤ ${duration(time)}`
		const [before, now] = traffic?.samples.slice(-2) ?? []
		put(tiles,
			tile('Rules', [count(state.rules), h('small', ` version ${state.version}`)], `hash ${state.hash.slice(0, 12)}`, 'rules'),
			now && [
				tile('Decisions / s', count(+((sum(now.decisions) - sum(before.decisions)) / Math.max(1, now.time - before.time)).toFixed(1)), `${count(sum(now.decisions))} since the start`, 'live'),
				tile('Latency, 99 %', bound(traffic.last_minute['99_percent']), `median ${bound(traffic.last_minute.half)}, last minute`),
				tile('Upstream failures', count(now.failures), now.failures ? '502 and 504' : 'none since the start')],
			attempt && tile('Last reload', attempt.outcome, `${ago(attempt.time)} by ${attempt.trigger}`, 'reloads'),
			tile('Findings', findings ? count(findings.findings.length) : wanted ? '…' : h('button', { onclick: () => { wanted = true; draw() } }, 'Run lint'),
				findings ? `${plural(findings.errors, 'error')}, ${plural(findings.warnings, 'warning')}, ${plural(findings.notes, 'note')}` : wanted ? 'lint is running' : 'takes a while', findings && 'rules?filter=findings'))
		if (now) put(pictures, card('Decisions by kind, a second', stacked(traffic)), card('Latency', heat(traffic)))
		else if (traffic) put(pictures, empty('No figures yet', 'The first charts appear in a few seconds.'))
	}
	await draw()
	const coverage = await offers('coverage', '/coverage')
	if (coverage) put(reached, drawCoverage(coverage))
	every(2, draw)
}

const weight = one => ['error', 'warning', 'note'].indexOf(one.severity)
const drawFindings = all => card('Lint findings', all.length === 0 ? h('p.muted', 'Nothing. Every check passed.')
	: items([...all].sort((one, other) => weight(one) - weight(other)), 12, one => [pill(one.severity), ' ', rulesLink(`${one.file}:${one.line}:`), h('br'), show(`${one.message} [${one.code}]`)]))
const drawCoverage = ({ problem, tests, failed, targets, reached, missing }) => [
	problem && h('p.card.bad', show(problem)),
	targets != null && card('Test coverage',
		h('p', tests === 0 ? `No tests yet; ${plural(targets, 'target')} untested.`
			: `${plural(tests, 'test')}, ${failed ? `${failed} fail` : 'all pass'}; ${reached} of ${plural(targets, 'target')} covered`),
		h('progress', { max: targets, value: reached, 'aria-label': 'Share of targets that the tests cover' }),
		missing.length > 0 && h('details', h('summary', `${plural(missing.length, 'target')} without a test`),
			items(missing, 100, one => [rulesLink(one.rule), ' ', show(one.text)]))),
]
