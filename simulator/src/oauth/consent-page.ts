import { layout } from '../page/layout.ts'
import type { Platform } from '../platform.ts'
import { escapeHtml } from '../text/escape-html.ts'

export function consentPage({ title, colour, context }: Platform, query: URLSearchParams): string {
  const hidden = [...query]
    .filter(([name]) => name !== 'handle')
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
  const known = context.accounts
    .all()
    .slice(0, 50)
    .map(({ handle }) => `<option value="${escapeHtml(handle)}">`)
  const handle = escapeHtml(query.get('handle') ?? 'demo')
  return layout(
    `Authorize on ${title}`,
    `<main class="consent" style="--platform:${colour}">
  <h1>${escapeHtml(title)} <small>simulator</small></h1>
  <p><strong>${escapeHtml(query.get('client_id') ?? query.get('client_key') ?? '')}</strong> would like to publish as you.</p>
  <p class="quiet">${escapeHtml(query.get('scope') ?? '')}</p>
  <form method="get">
    ${hidden.join('\n    ')}
    <label>Account <input name="handle" value="${handle}" list="known" autocomplete="off" required></label>
    <datalist id="known">${known.join('')}</datalist>
    <div class="buttons"><button name="auto" value="1">Authorize</button><button name="deny" value="1" class="quiet">Cancel</button></div>
  </form>
</main>`,
  )
}
