import { h, put, ago, count, plural, show, code, pill, title, card, items, headings, facts, region, problems, empty, field, input, difference, announce } from './dom.js'
import { get, post } from './api.js'
import { flow } from './charts.js'

export const reloads = async (main, { query, keep, signal, every }) => {
	const candidate = h('div'), list = h('ol.list.attempts'), detail = h('.list#attempt')
	let attempts = [], chosen = query.get('time'), drawn = '', held = ''
	put(main, title('Reloads', 'The last 100 attempts to load rules'), candidate,
		h('.two', h('section', { 'aria-label': 'Attempts' }, list), h('section', { 'aria-label': 'The attempt' }, detail)))

	const load = async () => {
		const [answer, status] = await Promise.all([get('/history', signal), get('/status', signal)])
		if (signal.aborted) return
		drawCandidate(status.gate)
		for (const time of list.querySelectorAll('time')) time.textContent = ago(time.dateTime)
		const text = JSON.stringify(answer.attempts)
		if (text === drawn) return
		const isNew = drawn && answer.attempts[0]?.time !== attempts[0]?.time;
		[attempts, drawn] = [answer.attempts, text]
		const focused = list.contains(document.activeElement) && document.activeElement.dataset.time
		put(list, attempts.map(one => h('li', h('button', { 'data-time': one.time, onclick: () => choose(one.time, true) },
			pill(one.outcome), h('span', summary(one)), h('time.muted', { datetime: one.time }, ago(one.time))))))
		if (focused) list.querySelector(`[data-time="${focused}"]`)?.focus()
		if (isNew) { announce(`Rules: ${attempts[0].outcome}`); chosen = null }
		await choose(chosen)
	}
	const summary = ({ version, added, removed, edited, reason }) => added == null ? [`version ${version}`, reason && ` stays: ${reason}`]
		: [`version ${version}: `, h('span.good', `+${count(added)} `), h('span.bad', `−${count(removed)} `), h('span.warn', `~${count(edited)}`)]

	const choose = async (time, keeps) => {
		const attempt = attempts.find(one => one.time === time) ?? attempts[0]
		if (!attempt) return put(detail, empty('No reloads yet', 'Save a rule file, and the attempt to load it appears here.'))
		chosen = attempt.time
		if (keeps) { query.set('time', chosen); keep(query) }
		for (const button of list.querySelectorAll('button')) button.ariaPressed = button.dataset.time === chosen
		put(detail, h('section.card.list', h('.head', h('h2', attempt.reason && attempt.outcome !== 'recovered' ? `Not in use: version ${attempt.version} serves` : `Version ${attempt.version}`), pill(attempt.outcome)),
			facts([['Time', new Date(attempt.time).toLocaleString('en-GB')], ['By', attempt.trigger], ['Took', `${count(attempt.milliseconds)} ms`],
				attempt.verdict && ['Verdict', show(attempt.verdict)], [attempt.reason ? 'Rules in use' : 'Rules', count(attempt.rules)], ['Hash of these', code(attempt.hash.slice(0, 24))]]),
			attempt.text && problems(attempt.text)))
		if (!attempt.comparable) return
		const place = h('.list', h('p.card.muted', 'Comparing rules and outcomes …'))
		detail.append(place)
		const change = await get(`/history/${attempt.version}/diff`, signal)
		if (chosen === attempt.time) put(place, drawChange(change))
	}

	const drawChange = ({ edited, removed, added, reordered, groups, not_asked, requests, changed, not_proved }) => {
		const row = (before, after) => {
			const marks = before && after ? difference(before.text, after.text) : [[[0, before?.text.length, 'del']], [[0, after?.text.length, 'ins']]]
			return h('tr', [before, after].map((rule, side) => h('td', rule && [code(rule.text, 1000, marks[side]), h('p.note', show(rule.rule))])))
		}
		const rows = [...edited.map(edit => row(edit.before, edit.after)), ...removed.map(rule => row(rule)), ...added.map(rule => row(null, rule))]
		return [
			card('Changed rules', rows.length ? region('.scroll', 'Rules before and after', h('table.diff', headings(['before', 'after']), h('tbody', rows)))
				: h('p.muted', reordered.length ? `The order of rules differs in ${reordered.length} files.` : 'The same rules in the same order.')),
			card('Changed outcomes',
				groups == null ? h('p.muted', not_asked ?? 'The outcomes could not be compared.')
					: groups.length === 0 ? h('p.muted', `None of ${plural(requests, 'generated request')} changes its outcome.`)
						: [h('p.note', `${count(changed)} of ${plural(requests, 'generated request')}.`), flow(groups), groupList(groups)],
				not_proved > 0 && h('p.note', `${plural(not_proved, 'rule')} could not be judged: not proved.`)),
		]
	}
	const groupList = groups => items(groups, 20, group => [
		h('b', show(`${count(group.weight)} × ${group.from} → ${group.to}`)), group.examples.map(one => h('p', code(one.request ?? ''), h('br'), h('span.muted', show(`${one.old}  →  ${one.new}`))))])

	const problem = h('p.bad', { role: 'alert' }), author = input('', 'for the record')
	const drawCandidate = gate => {
		if ((gate?.hash ?? '') === held) return
		held = gate?.hash ?? ''
		if (!gate) return put(candidate)
		const short = held.slice(0, 12)
		const decide = async ({ target }) => {
			target.disabled = true
			put(problem)
			await post(`/candidate/${target.dataset.what}?hash=${gate.hash}&by=${encodeURIComponent(author.value.trim())}`).catch(({ status, message }) => {
				problem.textContent = status === 409 ? 'Other rules wait for approval now: check them first.' : message
			})
			dispatchEvent(new Event('rules-refresh'))
			held = '?'
			await load()
		}
		put(candidate, h('section.card.held.list#candidate', h('.head', h('h2', 'Rules wait for approval'), code(short)),
			items([...gate.reasons, ...gate.remarks], 50, show),
			gate.groups.length > 0 && [flow(gate.groups), groupList(gate.groups)],
			gate.required_changes && items(gate.required_changes, 50, one => [code(one.request), ' ', show(`${one.old} → ${one.new}`)]),
			h('.bar', field('Your name', author), h('button.primary', { 'data-what': 'approve', onclick: decide }, `Approve ${short}`), h('button', { 'data-what': 'reject', onclick: decide }, 'Reject')), problem))
	}
	await load()
	addEventListener('rules-changed', load, { signal })
	every(2, load)
}
