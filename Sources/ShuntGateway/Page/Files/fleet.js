// The fleet that this node is one of: who has which release, and who ought to have another one.
import { h, put, ago, count, plural, show, pill, title, card, headings, facts, failure, region } from './dom.js'
import { get } from './api.js'

export const fleet = async (main, { signal, every }) => {
	const told = h('p', { role: 'status' }), own = h('div'), all = h('.list')
	put(main, title('Fleet', told), own, all)
	const release = ({ sequence, kind, author, message, created }) =>
		[`${sequence} `, kind !== 'publish' && pill(kind), h('span.muted', ' by ', show(author), `, ${ago(created)}: `), show(message)]
	const draw = async () => {
		const [{ release: mine }, known] = await Promise.all([get('/status', signal), get('/fleet', signal).catch(problem => ({ problem }))])
		if (signal.aborted) return
		put(own, mine && card('This node', facts([
			['Name', show(mine.node)], ['Serves', `release ${mine.serving}`], ['State', pill(mine.state), ` of release ${mine.sequence}`],
			mine.error && ['Why', show(mine.error, 2000)], mine.condition && ['Condition', h('span.bad', show(mine.condition))],
			['Contact', `${count(mine.contact_age_seconds)} s ago`]])))
		if (known.problem) return put(all, failure(known.problem))
		const { namespace, stable, state, stage, stages, by, reason, nodes, live, serving, out_of_order: others } = known
		put(told, show(namespace), `: ${plural(nodes, 'node')}, ${count(live)} live`)
		put(all, card('Releases', facts([['Stable', release(stable)],
			known.release.sequence !== stable.sequence && ['Newest', release(known.release)], known.release.sequence !== stable.sequence && ['Rollout', pill(state), ` stage ${stage} of ${stages}`],
			reason && ['Last', show(`${by}: ${reason}`)]]),
		serving.map(one => h('label', `${one.release ? `release ${one.release}` : 'no release'}: ${plural(one.nodes, 'node')}`, h('progress', { max: live, value: one.nodes })))),
		nodes > 0 && card('Out of sync', others.length === 0 ? h('p.muted', 'None: every node has the release that it should have.')
			: region('.scroll', 'Nodes', h('table', headings(['Node', 'Wanted', 'Has', 'State', 'Last report', 'Why']),
				h('tbody', others.slice(0, 500).map(one => h('tr', h('td', show(one.node)), h('td.num', one.wanted), h('td.num', one.serving || '–'), h('td', pill(one.condition), one.excluded && ' excluded'),
					h('td', one.age_seconds == null ? '' : `${count(one.age_seconds)} s ago`), h('td', show(one.reason, 1000))))))), others.length > 500 && h('p.note', `and ${count(others.length - 500)} more`)))
	}
	await draw()
	every(2, draw)
}
