import { h, put, show, code, pill, plain, plural, field, input, title, card, items, difference, empty, failure, rulesLink, announce } from './dom.js'
import { get, post } from './api.js'

export const explain = async (main, { query, keep, signal, status }) => {
	const reads = await get('/reads', signal)
	const first = name => query.get(name) ?? ''
	const headers = query.getAll('header').map(text => text.split(/: ?(.*)/s))
	const header = name => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
	const cookies = pairs(header('cookie').split(/; */))

	const url = input(first('url'), 'https://www.example.com/path?name=value', { id: 'explain-url' })
	const method = h('select', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(one => h('option', { value: one, selected: one === first('method') }, one)))
	const remote = input(first('remote'), '127.0.0.1')
	const fields = (names, label, value) => names.map(name => ({ name, label: label + name, input: input(value(name) ?? '') }))
	const inputs = fields(reads.inputs, '$', name => first(`input.${name}`))
	const headerFields = fields(reads.headers, 'header ', header)
	const cookieFields = fields(reads.cookies, 'cookie ', name => cookies.get(name))
	const argumentFields = fields(reads.arguments, 'argument ', name => argumentsOf(first('url')).get(name))
	const more = h('textarea', { rows: 2, spellcheck: 'false', placeholder: 'Name: value', value: headers
		.filter(([name]) => ![...reads.headers, 'cookie'].includes(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`).join('\n') })
	const held = h('input', { type: 'checkbox', checked: first('held') === 'true' })
	const story = h('section.list', { 'aria-label': 'Steps' })
	const form = h('form.card.list',
		h('.bar', field('URL', url, '.grow'), field('Method', method), h('button.primary', 'Explain')),
		h('.fields', { role: 'group', 'aria-label': 'Inputs that the rules read' }, [inputs, headerFields, cookieFields, argumentFields].flat().map(one => field(one.label, one.input))),
		h('details', { open: Boolean(more.value || remote.value) }, h('summary', 'Address and other headers'),
			h('.fields', field('Address of the client', remote), field('Other headers, one a line', more))),
		(status.gate || held.checked) && h('label', held, ' Also with the held rules'))
	put(main, title('Explain', 'Evaluates the rules only. Nothing is sent.'), form, story)

	const asked = () => {
		let target = url.value.trim()
		for (const { name, input } of argumentFields) if (input.value !== (argumentsOf(target).get(name) ?? '')) target = withArgument(target, name, input.value)
		url.value = target
		const cookie = cookieFields.filter(one => one.input.value).map(one => `${one.name}=${one.input.value}`).join('; ')
		return new URLSearchParams([
			['url', target], ['method', method.value === 'GET' ? '' : method.value], ['remote', remote.value],
			...inputs.map(({ name, input }) => [`input.${name}`, input.value]),
			...headerFields.map(({ name, input }) => ['header', input.value && `${name}: ${input.value}`]),
			['header', cookie && `Cookie: ${cookie}`],
			...more.value.split('\n').map(line => ['header', line.includes(':') ? line.trim() : '']), ['held', held.checked ? 'true' : ''],
		].filter(([, value]) => value))
	}
	url.oninput = () => { for (const { name, input } of argumentFields) input.value = argumentsOf(url.value).get(name) ?? '' }
	const run = async () => {
		const request = asked()
		if (!request.get('url')) return put(story, empty('Enter a URL', 'Any scheme works: https://…, kl://… . Each step through the rules appears here.'))
		keep(request)
		// A URL may be longer than the target of a request.
		const answer = await (await post('/explain', `notations=true&${encoded(request)}`)).json()
		if (signal.aborted) return
		const same = text => JSON.stringify(answer.held[text]) === JSON.stringify(answer[text])
		put(story, tell(answer, request.get('url')), answer.held && h('section.card.held.list', h('h2', `With the held rules ${answer.held.hash.slice(0, 12)}`), outcome(answer.held.decision),
			h('p.note', `${same('decision') ? 'Same as' : 'Different from'} the outcome with the rules in use.`), h('details', h('summary', 'Steps'), steps(answer.held, request.get('url')))))
		announce(`Decision: ${answer.decision.decision}`)
	}
	form.onsubmit = event => {
		event.preventDefault()
		run().catch(problem => { if (!signal.aborted) put(story, failure(problem)) })
	}
	await run()
}

const pairs = parts => new Map(parts.filter(Boolean).map(part => part.split(/=(.*)/s)).map(([name, value]) => [name, value ?? '']))
// The listener takes + for itself, as URLs do.
const encoded = query => [...query].map(pair => pair.map(encodeURIComponent).join('=')).join('&')
const parts = url => /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url).slice(1)
const argumentsOf = url => pairs((parts(url)[1] ?? '').split('&').reverse())
const withArgument = (url, name, value) => {
	const [head, query, tail] = parts(url)
	const all = [...(query ?? '').split('&').filter(part => part && part.split('=')[0] !== name), ...(value ? [`${name}=${value}`] : [])]
	return head + (all.length ? '?' + all.join('&') : '') + tail
}

const outcome = ({ decision, status, url, route, reason }) => h('p', pill(decision), ' ', status != null && h('b', `${status} `), url != null && code(url, 4000),
	route && h('span.muted', ' route ', code(route)), reason && h('span.bad', ' ', show(reason)))

const tell = (answer, url) => [
	h('section.card.list#outcome', h('.head', h('h2', 'Outcome'), h('p.note', `version ${answer.version} of the rules`)), outcome(answer.decision),
		answer.decision.rule && h('p.note', 'by ', rulesLink(answer.decision.rule)),
		h('.bar', { role: 'group', 'aria-label': 'Copy' }, copies(answer.notations).map(([what, text]) => h('button', { 'data-copy': `Copy ${what}`, 'data-text': text, onclick: copy }, `Copy ${what}`)))),
	steps(answer, url),
]
const copies = ({ curl, expect, test }) => [['link', location.href], ['as curl', curl], ['as expect', expect], ['as test', test]]
const copy = async ({ target }) => {
	try { await navigator.clipboard.writeText(target.dataset.text); target.textContent = 'Copied' } catch { target.textContent = 'Not allowed' }
	announce(target.textContent)
	setTimeout(() => { target.textContent = target.dataset.copy }, 1500)
}

const color = index => `mark.c${index % 5 + 1}`
// The captures in what was looked at, which are said in bytes of UTF-8; a capture within another is told beside it.
const marks = (subject, ranges) => {
	const bytes = new TextEncoder().encode(subject), decoder = new TextDecoder('utf-8', { ignoreBOM: true })
	const at = byte => decoder.decode(bytes.subarray(0, byte)).length
	return ranges.flatMap((range, index) => range && range[1] > range[0] ? [[...range.map(at), color(index)]] : []).sort((a, b) => a[0] - b[0] || b[1] - a[1])
}

const steps = (answer, url) => {
	const list = [h('li', h('.card', h('h3', 'Request'), code(url, 4096)))]
	let skipped = []
	for (const step of [...answer.trace, null]) {
		if (step?.result === 'skipped') { skipped.push(step); continue }
		if (skipped.length) {
			list.push(h('li.skips', h('details', h('summary', `${plural(skipped.length, 'step')} did not apply`),
				items(skipped, 500, one => [code(one.text), ' ', one.rule && rulesLink(one.rule)]))))
			skipped = []
		}
		if (!step || step.kind === 'decision') continue
		if (step.kind === 'phase') { list.push(h('li.muted', `${step.text === 'url' ? 'URL' : plain(step.text)} phase`)); continue }
		const { before, after, subject, captures = [], capture_ranges: ranges = [] } = step
		const [old, fresh] = before == null ? [] : difference(before, after)
		list.push(h(`li${step.result ? '.hit' : ''}`, h('.card',
			h('.head', h('span', code(step.text)), step.result && pill(step.result), step.rule && h('span.note', rulesLink(step.rule))),
			before != null ? h('.change', h('span', 'before'), code(before, 3000, captures.length ? marks(before, ranges) : old), h('span', 'after'), code(after, 3000, fresh))
				: subject != null && h('.change', h('span', 'tested'), code(subject, 3000, marks(subject, ranges))),
			captures.length > 0 && h('.caps', captures.map((text, index) => h('span.mono', `$${index + 1} = `, h(color(index), show(text))))))))
	}
	return h('ol.story#story', list, h('li.end', h('.card', h('h3', 'Decision'), outcome(answer.decision))))
}
