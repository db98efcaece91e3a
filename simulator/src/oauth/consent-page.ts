import { document } from '../page/layout.ts'
import type { Reply } from '../http/reply.ts'
import type { Platform } from '../platform.ts'
import { markup } from '../text/markup.ts'

export function consentPage({ title, context }: Platform, query: URLSearchParams): Reply {
  const hidden = [...query]
    .filter(([name]) => name !== 'handle')
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)
  const known = context.accounts.all().slice(0, 50)
  const handle = query.get('handle') ?? 'demo'
  const scopes = (query.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
  const app = query.get('client_id') ?? query.get('client_key') ?? ''
  return document(
    `Authorize on ${title}`,
    markup`<main class="consent panel platform-${context.name}">
  <h1>${title} <small>simulator</small></h1>
  <p><strong>${app}</strong> would like to publish as you.</p>
  ${scopes.length > 0 && markup`<ul class="scopes" aria-label="Permissions">${scopes.map((scope) => markup`<li>${scope}</li>`)}</ul>`}
  <form method="get">
    ${hidden}
    <label>Account <input name="handle" value="${handle}" list="known" autocomplete="off" required></label>
    <p class="quiet">Any name will do: an account that does not exist yet is opened. Nothing reaches the real ${title}.</p>
    <datalist id="known">${known.map((account) => markup`<option value="${account.handle}"></option>`)}</datalist>
    <div class="buttons"><button name="auto" value="1">Authorize</button><button name="deny" value="1" class="plain">Cancel</button></div>
  </form>
</main>`,
  )
}
