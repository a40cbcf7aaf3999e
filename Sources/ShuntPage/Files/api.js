// Asks the listener that the page came from; the token, if it asks for one, is kept in this variable only.
let token = '';
let asking = null;
const ask = wrong => asking ??= new Promise(done => {
  const dialog = document.getElementById('token');
  const text = document.getElementById('token-text');
  document.getElementById('token-problem').textContent = wrong ? 'That was not the token.' : '';
  const form = document.getElementById('token-form');
  const submit = event => {
    event.preventDefault();
    token = text.value.trim();
    text.value = '';
    form.removeEventListener('submit', submit);
    asking = null;
    dialog.close();
    done();
  };
  form.addEventListener('submit', submit);
  dialog.addEventListener('cancel', event => event.preventDefault());
  dialog.showModal();
});
const request = async (path, options = {}) => {
  for (;;) {
    const sent = token;
    const response = await fetch(path, { cache: 'no-store', credentials: 'omit', ...options, headers: sent ? { Authorization: `Bearer ${sent}` } : {} });
    if (response.status !== 401) return response;
    if (sent === token) await ask(sent !== '');
  }
};
export class Problem extends Error {
  constructor(text, status) { super(text); this.status = status; }
}
export const get = async (path, signal) => {
  const response = await request(path, { signal });
  if (!response.ok) throw new Problem((await response.text()).trim(), response.status);
  return response.json();
};
export const post = async (path, body) => {
  const response = await request(path, { method: 'POST', body });
  const text = await response.text();
  return { ok: response.ok, status: response.status, text };
};
// Server-sent events by fetch, which can send the token: `told(event, value)` until the signal aborts.
export const listen = async (query, told, signal) => {
  const response = await request(`/events?${query}`, { signal });
  if (!response.ok) throw new Problem((await response.text()).trim(), response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  told('open');
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      if (event) told(event, JSON.parse(data));
    }
  }
};
