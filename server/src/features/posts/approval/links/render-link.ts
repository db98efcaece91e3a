import type { Connector } from '@carillon/connectors'
import { marks } from '@carillon/connectors/marks'
import type { Context } from '../../../../context.ts'
import { escapeHtml, pageStyle } from '../../../../infra/html/render-page.ts'
import { signInPath } from '../../../people/auth-paths.ts'
import type { LinkWords } from './link-words.ts'
import type { ShownComment, ShownLink, ShownPost, ShownVersion } from './read-link.ts'

type Language = 'en' | 'de'
type Page = {
  ctx: Context
  shown: ShownLink
  words: LinkWords
  language: Language
  action: string
  /** What went wrong with the decision before, and what was written then. */
  failure?: { message: string; name: string; postId: string; note: string } | undefined
}

/** Large enough for a thumb, and in one column on a phone. */
export const linkStyle = pageStyle(`
article{margin:1.5rem 0;padding:1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface)}
article h2{margin:0 0 .25rem}
article h3{margin:1rem 0 .25rem;font:600 .875rem system-ui,sans-serif;color:var(--quiet)}
.notice{margin:1rem 0;padding:.75rem 1rem;border:1px solid var(--bell);border-left-width:.3rem;border-radius:.5rem;background:var(--surface)}
.accounts{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1rem}
.accounts li{display:flex;align-items:center;gap:.4rem;margin:0;font-weight:600}
.accounts svg{width:1.1rem;height:1.1rem;flex:none}
.accounts span span{font-weight:400;color:var(--quiet)}
.version{margin-top:1rem;padding-top:1rem;border-top:1px solid var(--line)}
.text{white-space:pre-wrap;overflow-wrap:anywhere;font-size:1.0625rem}
.part{border-left:3px solid var(--line);padding-left:.75rem}
figure{margin:.75rem 0}
figure img,figure video{display:block;max-width:100%;max-height:32rem;height:auto;border-radius:.5rem;background:var(--canvas)}
figcaption{color:var(--quiet);font-size:.875rem}
dl{margin:.25rem 0;display:grid;grid-template-columns:auto 1fr;gap:.15rem .75rem}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
.decide{margin-top:1.25rem}
.decide button{width:100%;min-height:3rem}
.plain{background:transparent;color:var(--ink);border:1px solid var(--edge)}
.done{font-weight:600}
details{margin-top:.75rem}
summary{min-height:2.75rem;padding:.6rem 0;cursor:pointer;color:var(--bell)}
textarea{display:block;width:100%;min-height:6rem;margin-top:.25rem;padding:.6rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--surface);color:var(--ink);font:inherit}
.button{display:block;text-align:center;padding:.7rem;border:1px solid var(--edge);border-radius:.5rem}
@media(min-width:40rem){.decide button{width:auto;margin-right:.5rem}.button{display:inline-block}}
`)

/** The content of the page, for everything that a client can see and do. Every text of the workspace and of clients is escaped. */
export function renderLink(page: Page): string {
  const { shown, words, action, failure } = page
  const { posts, link, maker, visitor, workspace, timezone } = shown
  const open = posts.filter(isOpen)
  const needsName = !visitor && posts.some(({ state }) => state === 'waiting')
  const all = open.length > 1 && open.every(({ isLate }) => !isLate)
  const name = failure?.name || link.name || ''
  return [
    `<h1>${escapeHtml(words.title(posts.length))}</h1>`,
    `<p>${escapeHtml(words.intro(maker, workspace))}</p>`,
    `<p class="quiet">${escapeHtml(words.zone(zoneName(page, timezone)))}</p>`,
    visitor ? `<p class="quiet">${escapeHtml(words.youAre(visitor.name))}</p>` : '',
    failure ? `<p class="notice" role="alert">${escapeHtml(failure.message)}</p>` : '',
    // One form, so that the name is given once. Enter in a field must not press the first button: the one that it presses is disabled.
    `<form method="post" action="${escapeHtml(action)}"><button disabled hidden></button>`,
    needsName
      ? `<p><label>${words.yourName} <input name="name" required maxlength="60" autocomplete="name" value="${escapeHtml(name)}"></label>` +
        `<small class="quiet">${words.nameHint}</small></p>`
      : '',
    ...posts.map((post, index) => renderPost(page, post, index)),
    all
      ? `<p class="decide"><button name="action" value="approve-all">${escapeHtml(words.approveAll(open.length))}</button></p>`
      : '',
    '</form>',
  ].join('')
}

function isOpen({ state, canApprove }: ShownPost): boolean {
  return state === 'waiting' && canApprove
}

function renderPost(page: Page, post: ShownPost, index: number): string {
  const { words } = page
  const { state, isChanged, versions, last, comments } = post
  const at = (date: Date) => timeText(page, date)
  const heading = state === 'approved' && last ? words.approvedBy(last.name || words.former, at(last.at)) : planOf(page, post)
  const returned = state === 'returned' && last ? words.returnedBy(last.name || words.former, at(last.at)) : words.hidden
  return [
    `<article id="post-${index + 1}">`,
    state === 'waiting' || state === 'approved'
      ? `<h2>${state === 'approved' ? '✓ ' : ''}${escapeHtml(heading)}</h2>`
      : `<p class="done">${escapeHtml(returned)}</p>`,
    state === 'approved' && post.scheduledAt ? `<p class="quiet">${escapeHtml(words.planned(at(post.scheduledAt)))}</p>` : '',
    last?.comment ? `<p class="text part">${escapeHtml(last.comment)}</p>` : '',
    state === 'waiting' && isChanged ? `<p class="notice">${escapeHtml(words.changedSince)}</p>` : '',
    ...versions.map((version) => renderVersion(page, version)),
    comments.length === 0 ? '' : `<h3>${words.said}</h3>${comments.map((comment) => renderComment(page, comment)).join('')}`,
    state === 'waiting' ? renderDecisions(page, post) : '',
    '</article>',
  ].join('')
}

function planOf(page: Page, { scheduledAt, isLate }: ShownPost): string {
  const { words } = page
  if (scheduledAt === null) return words.asap
  return isLate ? words.late(timeText(page, scheduledAt)) : words.planned(timeText(page, scheduledAt))
}

function renderComment(page: Page, { name, at, text }: ShownComment): string {
  const who = `${name || page.words.former}, ${timeText(page, at)}`
  return `<p class="quiet">${escapeHtml(who)}</p><p class="text part">${escapeHtml(text)}</p>`
}

function renderVersion(page: Page, version: ShownVersion): string {
  const { ctx, words } = page
  const [first] = version.channels
  if (!first) return ''
  const { draft, thread, firstComment } = first
  const accounts = version.channels.map(({ account }) => {
    const { path } = marks[account.platform]
    const { name } = ctx.connectors[account.platform].manifest
    return (
      `<li><svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>` +
      `<span>${escapeHtml(account.targetName)} <span>${escapeHtml(name)}</span></span></li>`
    )
  })
  const count = (thread?.length ?? 0) + 1
  const further = (thread ?? []).map(({ text }, index) => textBlock(words.thread(index + 2, count), text))
  const facts = [
    ...(draft.title ? [[words.postTitle, draft.title]] : []),
    ...(draft.linkUrl && !draft.text.includes(draft.linkUrl) ? [[words.link, draft.linkUrl]] : []),
    ...(words.formats[draft.format] ? [[words.format, words.formats[draft.format]]] : []),
    ...settingsOf(ctx.connectors[first.account.platform], draft.settings, page),
  ].map(([label = '', value = '']) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`)
  return [
    `<section class="version"><h3>${words.goesTo}</h3><ul class="accounts">${accounts.join('')}</ul>`,
    count > 1 ? `<h3>${escapeHtml(words.thread(1, count))}</h3>` : '',
    draft.text === '' ? `<p class="quiet">${words.noText}</p>` : `<p class="text">${escapeHtml(draft.text)}</p>`,
    ...version.files.map((file) => renderFile(page, file)),
    ...further,
    firstComment ? textBlock(words.firstComment, firstComment) : '',
    facts.length > 0 ? `<h3>${words.settings}</h3><dl>${facts.join('')}</dl>` : '',
    '</section>',
  ].join('')
}

function textBlock(title: string, text: string): string {
  return `<h3>${escapeHtml(title)}</h3><p class="text part">${escapeHtml(text)}</p>`
}

function renderFile({ words }: Page, { type, url, thumbnailUrl, name, alt }: ShownVersion['files'][number]): string {
  const address = escapeHtml(url)
  const said = alt.trim() === '' ? words.noAlt : `${words.alt}: ${alt}`
  const caption = `<figcaption>${escapeHtml(said)}</figcaption>`
  if (type === 'image') return `<figure><img src="${address}" alt="${escapeHtml(alt)}" loading="lazy">${caption}</figure>`
  const poster = thumbnailUrl === null ? '' : ` poster="${escapeHtml(thumbnailUrl)}"`
  if (type === 'video')
    return `<figure><video src="${address}"${poster} controls preload="metadata" playsinline></video>${caption}</figure>`
  return `<figure><a href="${address}" rel="noreferrer">${words.openFile}: ${escapeHtml(name)}</a></figure>`
}

type Choice = { const?: unknown; title?: string }
type SettingSchema = { title?: string; default?: unknown; oneOf?: Choice[] }
type Words = Record<string, { title?: string; choices?: Record<string, string> } | undefined>

/** What an account has set otherwise than its platform does by itself, and always who can see the post. */
function settingsOf({ settings, manifest }: Connector, chosen: Record<string, unknown>, { words, language }: Page): string[][] {
  const { properties = {}, 'x-words': translated } = settings as {
    properties?: Record<string, SettingSchema>
    'x-words'?: Partial<Record<Language, Words>>
  }
  return Object.entries(chosen).flatMap(([name, value]) => {
    const schema = properties[name]
    const isUsual = value === schema?.default && name !== manifest.audienceSetting
    if (!schema || isUsual || value === undefined || value === null || value === '' || value === false) return []
    const own = translated?.[language]?.[name]
    const choice = schema.oneOf?.find((each) => each.const === value)?.title
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [[own?.title ?? schema.title ?? name, value === true ? words.yes : (own?.choices?.[text] ?? choice ?? text)]]
  })
}

function renderDecisions(page: Page, post: ShownPost): string {
  const { words, ctx, shown, failure, action } = page
  const { id, revision, isLate, canApprove } = post
  const button = (verb: string, label: string, look = '') =>
    `<button name="action" value="${verb}:${id}"${look}>${escapeHtml(label)}</button>`
  const approving = isLate
    ? button('approve-now', words.approveNow) +
      `<p><label>${words.otherTime} (${escapeHtml(zoneName(page, shown.timezone))}) <input type="datetime-local" name="at-${id}"></label></p>` +
      button('approve-at', words.approveAt, ' class="plain"')
    : button('approve', words.approve)
  // Who is signed in and may not decide finds out there what they can do.
  const own = `${ctx.config.publicUrl}/w/${shown.workspaceId}/posts/${id}`
  const signIn = shown.visitor ? own : `${ctx.config.publicUrl}${signInPath(action)}`
  const elsewhere =
    `<p class="notice">${escapeHtml(shown.visitor ? words.notYours : words.needsAccount)}</p>` +
    `<p><a class="button" href="${escapeHtml(signIn)}">${escapeHtml(shown.visitor ? words.openPost : words.signIn)}</a></p>`
  const isRepeated = failure?.postId === id && failure.note !== ''
  return (
    `<input type="hidden" name="revision-${id}" value="${escapeHtml(revision)}">` +
    `<div class="decide">${canApprove ? approving : elsewhere}</div>` +
    `<details${isRepeated ? ' open' : ''}><summary>${words.askOrSay}</summary>` +
    `<label>${words.note} <textarea name="note-${id}" maxlength="2000">${escapeHtml(isRepeated ? failure.note : '')}</textarea></label>` +
    `<div class="decide">${button('changes', words.ask, ' class="plain"')}${button('comment', words.say, ' class="plain"')}</div></details>`
  )
}

function timeText({ shown, language }: Pick<Page, 'shown' | 'language'>, at: Date): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone: shown.timezone } as const
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', options).format(at)
}

function zoneName({ language, ctx }: Pick<Page, 'language' | 'ctx'>, timezone: string): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: timezone, timeZoneName: 'longOffset' })
  const offset = format.formatToParts(new Date(ctx.nowMs())).find(({ type }) => type === 'timeZoneName')?.value
  return offset ? `${timezone} (${offset})` : timezone
}
