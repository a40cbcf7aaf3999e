// Asks the page's listener; a token is kept in this variable only.
import { $ } from './dom.js'
let token = ''
let asking = null
const ask = wrong => asking ??= new Promise(done => {
	const [dialog, text, problem] = ['token', 'token-text', 'token-problem'].map($)
	problem.textContent = wrong ? 'The token is wrong.' : ''
	dialog.oncancel = event => event.preventDefault()
	dialog.onclose = () => {
		[token, text.value, asking] = [text.value.trim(), '', null]
		done()
	}
	dialog.showModal()
})
export const request = async (path, options = {}) => {
	for (;;) {
		const sent = token
		const response = await fetch(path, { cache: 'no-store', credentials: 'omit', ...options, headers: sent ? { Authorization: `Bearer ${sent}` } : {} })
		if (response.status !== 401) return response
		if (sent === token) await ask(sent !== '')
	}
}
const good = async response => {
	if (response.ok) return response
	throw Object.assign(new Error((await response.text()).trim()), { status: response.status })
}
export const get = async (path, signal) => (await good(await request(path, { signal }))).json()
export const post = async (path, body) => good(await request(path, { method: 'POST', body }))
// Events by fetch, which can send the token: `told(event, value)` until the signal.
export const listen = async (query, told, signal) => {
	const response = await good(await request(`/events?${query}`, { signal }))
	told('open')
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
	for (let text = '', part; !(part = await reader.read()).done;) {
		text += part.value
		for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
			const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
			if (event) told(event, JSON.parse(data))
		}
	}
}
