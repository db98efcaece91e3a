import { marks } from '@carillon/connectors/marks'
import { isPlatform } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { escapeHtml, pageStyle } from '../../infra/html/render-page.ts'
import { rateEngagement } from '../analytics/rate-engagement.ts'
import { excerptLength, type PeriodLength, type ShownReport } from './read-report.ts'
import type { AccountFigures, Figures, ReportedPost, Totals } from './report-figures.store.ts'
import { type ReportWords, reportWords } from './report-words.ts'

type Page = { ctx: Context; shown: ShownReport; words: ReportWords }

/** On paper the page is black on white, whatever the theme, and nothing is cut between two pages that belongs together. */
export const reportStyle = pageStyle(`
body>*{max-width:52rem}
h1{margin-bottom:.35rem;overflow-wrap:anywhere}
h2{margin:2.5rem 0 .75rem;font:500 1.25rem/1.3 Georgia,serif}
.of{margin:0;color:var(--quiet);overflow-wrap:anywhere}
.of span{display:inline-block}
.of span:not(:last-child)::after{content:"·";margin:0 .5rem}
.hint{margin:1rem 0 0;font-size:.875rem}
.tiles{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;margin:1.5rem 0 0;padding:0;border:0;background:none}
.tiles div{display:block;padding:.875rem 1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface)}
.tiles dt{font-size:.875rem}
.tiles dd{font-size:.8125rem;line-height:1.45;color:var(--quiet);overflow-wrap:anywhere}
.tiles .value{font:500 1.75rem/1.3 Georgia,serif;color:var(--ink);font-variant-numeric:tabular-nums}
.tiles .untold{font-size:1.125rem;line-height:2.05}
.change,.compared{display:inline-block}
.change{color:var(--ink);font-weight:600;white-space:nowrap}
figure{margin:0}
figure svg{display:block;width:100%;height:9rem;border-bottom:1px solid var(--edge);fill:var(--bell)}
figcaption,.scale{font-size:.875rem;color:var(--quiet)}
figcaption{margin-bottom:.5rem}
.scale{display:flex;justify-content:space-between;gap:1rem;margin:.35rem 0 0}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.6rem 0 .6rem 1rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;white-space:nowrap}
thead th{color:var(--quiet);font-weight:400;font-size:.875rem}
th:first-child{padding-left:0;text-align:left;white-space:normal;overflow-wrap:anywhere}
tbody th:first-child{font-weight:600}
.place{display:flex;gap:.5rem;align-items:flex-start}
.place svg{flex:none;width:1.1rem;height:1.1rem;margin-top:.25rem}
.place small{display:block;font-weight:400;font-size:.8125rem;color:var(--quiet)}
.note{font-size:.875rem;color:var(--quiet)}
.best{list-style:none;margin:0;padding:0;counter-reset:best}
.best>li{counter-increment:best;display:grid;grid-template-columns:2.1rem minmax(0,1fr);margin:0;padding:1rem 0;border-bottom:1px solid var(--line)}
.best>li::before{content:counter(best);font:500 1.125rem/1.4 Georgia,serif;color:var(--quiet)}
.best h3{margin:0;font:600 1rem/1.5 system-ui,sans-serif}
.best h3,.text{overflow:hidden;overflow-wrap:anywhere}
.text{margin:0}
.meta{display:flex;flex-wrap:wrap;gap:.15rem 1rem;margin:.35rem 0 0;font-size:.875rem;color:var(--quiet);font-variant-numeric:tabular-nums}
.meta b{color:var(--ink);font-weight:600}
.places{display:flex;flex-wrap:wrap;gap:0 1.25rem;margin:.15rem 0 0;padding:0;list-style:none;font-size:.875rem}
.places li{margin:0;min-width:0;overflow-wrap:anywhere}
.link{display:flex;gap:.4rem;align-items:center;padding:.35rem 0}
.link svg{flex:none;width:.95rem;height:.95rem}
.about{margin-top:2.5rem;padding-top:.5rem;border-top:1px solid var(--line)}
.about h2{margin-top:1rem;font:600 .875rem/1.4 system-ui,sans-serif}
@media(min-width:44rem){.tiles{grid-template-columns:repeat(4,minmax(0,1fr))}}
@media(max-width:34rem){
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody{display:block}
tbody tr{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.15rem 1rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
tbody th,tbody td{display:block;padding:0;border:0;text-align:left;white-space:normal}
tbody th{grid-column:1/-1}
.meta span:first-child{flex-basis:100%}
tbody td::before{content:attr(data-name);display:block;font-size:.8125rem;color:var(--quiet)}
}
@page{size:A4;margin:16mm 15mm}
@media print{
:root{color-scheme:light;--canvas:#fff;--surface:#fff;--line:#d5d0c8;--edge:#8f857a;--ink:#1a1613;--quiet:#55504a;--bell:#874b11}
body{font-size:10.5pt;print-color-adjust:exact}
body>*{max-width:none;padding-left:0;padding-right:0}
body>header{padding-top:0}
main{padding-bottom:0}
body>footer,.hint{display:none}
h2,h3,figcaption{break-after:avoid}
.tiles{grid-template-columns:repeat(4,minmax(0,1fr))}
.tiles div,figure,tr,.best>li,.about{break-inside:avoid}
.link{color:inherit;padding:0}
h2{margin-top:1.75rem}
.best>li{padding:.65rem 0}
.about{margin-top:1.5rem}
}
`)

/** The content of the page. Every text of the workspace is escaped, and none can turn the direction of the text around it. */
export function renderReport(ctx: Context, shown: ShownReport): string {
  const { report, totals, best } = shown
  const words = reportWords[report.language]
  const page = { ctx, shown, words }
  const of = [
    named(report.workspace),
    escapeHtml(daysText(words, report.first_day, report.last_day)),
    ...(report.label !== null && report.label_kind !== null
      ? [`${escapeHtml(words.kinds[report.label_kind])}: ${named(report.label)}`]
      : []),
  ]
  const head =
    `<h1 dir="auto">${escapeHtml(report.title)}</h1><p class="of">${of.map((each) => `<span>${each}</span>`).join('')}</p>` +
    `<p class="hint quiet">${escapeHtml(words.print)}</p>`
  if (totals.posts === 0) return `${head}<p class="notice">${escapeHtml(words.nothing)}</p>`
  return [
    head,
    renderTiles(page),
    renderChart(page),
    renderAccounts(page),
    `<h2>${escapeHtml(words.best)}</h2><p class="note">${escapeHtml(words.bestIs)}</p>`,
    `<ol class="best">${best.map((post) => renderPost(page, post)).join('')}</ol>`,
    renderNotes(page),
  ].join('')
}

function renderTiles({ ctx, shown, words }: Page): string {
  const { totals, previous, accounts } = shown
  const hasPrevious = previous.posts > 0
  const unseen = untold(ctx, words, accounts, 'unseen')
  const unanswered = untold(ctx, words, accounts, 'unanswered')
  const [rate, rateBefore] = [rateOf(totals), rateOf(previous)]
  const points =
    rate !== null && rateBefore !== null ? { by: rate - rateBefore, text: signedPoints(words, rate - rateBefore) } : null
  return (
    `<h2>${escapeHtml(words.figures)}</h2><dl class="tiles">` +
    [
      tile(words, {
        name: words.names.posts,
        value: count(words, totals.posts),
        change: changeOf(words, totals.posts, previous.posts),
        before: count(words, previous.posts),
        unknown: '',
      }),
      ...(['impressions', 'interactions'] as const).map((name) =>
        tile(words, {
          name: name === 'impressions' ? words.names.impressions : words.names.engagement,
          value: count(words, totals[name]),
          change: changeOf(words, totals[name], previous[name]),
          before: hasPrevious ? count(words, previous[name]) : null,
          unknown: name === 'impressions' ? unseen : unanswered,
        }),
      ),
      tile(words, {
        name: words.names.rate,
        value: percent(words, rate),
        change: points,
        before: percent(words, rateBefore),
        unknown: '',
      }),
    ].join('') +
    '</dl>'
  )
}

type Change = { by: number; text: string } | null
type Tile = { name: string; value: string | null; change: Change; before: string | null; unknown: string }

function tile(words: ReportWords, { name, value, change, before, unknown }: Tile): string {
  const arrow = change === null || change.by === 0 ? '' : change.by > 0 ? '▲ ' : '▼ '
  const changed = change === null ? '' : `<span class="change">${arrow}${escapeHtml(change.text)}</span> `
  const compared = before === null ? words.noneBefore : words.before(before)
  return (
    `<div><dt>${escapeHtml(name)}</dt><dd class="value${value === null ? ' untold' : ''}">${escapeHtml(value ?? words.unknown)}</dd>` +
    `<dd>${changed}<span class="compared">${escapeHtml(compared)}</span></dd>` +
    `${unknown === '' || value === null ? '' : `<dd>${escapeHtml(unknown)}</dd>`}</div>`
  )
}

/** In percent of what was before. There is none of nothing, and none of what nobody told. */
function changeOf(words: ReportWords, value: number | null, before: number | null): Change {
  if (value === null || before === null || before === 0) return null
  const by = (value - before) / before
  const options = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const
  return { by: Math.round(by * 100), text: new Intl.NumberFormat(words.locale, options).format(by) }
}

function signedPoints(words: ReportWords, by: number): string {
  const options = { maximumFractionDigits: 2, signDisplay: 'exceptZero' } as const
  return words.points(new Intl.NumberFormat(words.locale, options).format(by))
}

/** For how many posts a figure is not known, and on which platforms; empty if it is known for all. */
function untold(ctx: Context, words: ReportWords, accounts: readonly AccountFigures[], missing: 'unseen' | 'unanswered'): string {
  const found = accounts.filter((account) => account[missing] > 0)
  if (found.length === 0) return ''
  const names = new Set(found.map(({ platform }) => platformName(ctx, platform)))
  const list = new Intl.ListFormat(words.locale, { type: 'conjunction' }).format([...names].toSorted())
  return words.notToldFor(
    found.reduce((sum, account) => sum + account[missing], 0),
    list,
  )
}

/** Bars of the first figure that is told: impressions, else engagement, else posts. */
function renderChart({ shown, words }: Page): string {
  const { totals, periods, length, report } = shown
  if (periods.length < 2) return ''
  const by = (totals.impressions ?? 0) > 0 ? 'impressions' : (totals.interactions ?? 0) > 0 ? 'engagement' : 'posts'
  const values = periods.map(({ figures }) => figures[by === 'engagement' ? 'interactions' : by] ?? 0)
  const highest = Math.max(...values)
  const best = periods[values.indexOf(highest)]
  const title = words.chart[by][length]
  const day = (text: string) => periodText(words, text, length)
  const caption = words.highest(count(words, highest) ?? '', day(best?.startsOn ?? report.first_day))
  const bars = values.map((value, index) => {
    const height = (value / highest) * 100
    return value === 0
      ? ''
      : `<rect x="${index * 10 + 1}" y="${(100 - height).toFixed(2)}" width="8" height="${height.toFixed(2)}"/>`
  })
  return (
    `<h2>${escapeHtml(title)}</h2><figure><figcaption>${escapeHtml(caption)}</figcaption>` +
    `<svg viewBox="0 0 ${periods.length * 10} 100" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(`${title}. ${caption}`)}">` +
    `${bars.join('')}</svg><p class="scale"><span>${escapeHtml(day(report.first_day))}</span>` +
    `<span>${escapeHtml(day(periods.at(-1)?.startsOn ?? report.last_day))}</span></p></figure>`
  )
}

/** The roles are said, because browsers forget those of a table that is laid out as blocks on a phone. */
function renderAccounts({ ctx, shown: { accounts }, words }: Page): string {
  const { names } = words
  const columns = [names.posts, names.impressions, names.engagement, names.rate]
  const rows = accounts.map((account) => {
    const cells = [
      count(words, account.posts),
      count(words, account.impressions),
      count(words, account.interactions),
      percent(words, rateOf(account)),
    ]
    return (
      `<tr role="row"><th scope="row" role="rowheader"><span class="place">${mark(account.platform)}<span>${named(account.name)}` +
      `<small>${escapeHtml(platformName(ctx, account.platform))}</small></span></span></th>` +
      cells
        .map((cell, index) => `<td role="cell" data-name="${escapeHtml(columns[index] ?? '')}">${cellText(words, cell)}</td>`)
        .join('') +
      '</tr>'
    )
  })
  return (
    `<h2>${escapeHtml(words.accounts)}</h2><table role="table"><thead role="rowgroup"><tr role="row">` +
    [words.account, ...columns].map((name) => `<th scope="col" role="columnheader">${escapeHtml(name)}</th>`).join('') +
    `</tr></thead><tbody role="rowgroup">${rows.join('')}</tbody></table>` +
    (accounts.length > 1 ? `<p class="note">${escapeHtml(words.severalAccounts)}</p>` : '')
  )
}

function cellText(words: ReportWords, text: string | null): string {
  return text === null ? `<span class="note">${escapeHtml(words.unknown)}</span>` : escapeHtml(text)
}

function renderPost({ ctx, shown, words }: Page, post: ReportedPost): string {
  const title = post.title?.trim() ?? ''
  const text = excerpt(post.text)
  const { names } = words
  const figures = [
    [names.impressions, count(words, post.impressions)],
    [names.engagement, count(words, post.interactions)],
    [names.rate, percent(words, rateOf(post))],
  ].map(([name = '', value]) => `<span>${escapeHtml(name ?? '')} <b>${escapeHtml(value ?? words.unknown)}</b></span>`)
  const links = post.places.map(({ platform, name, url }) => {
    const label = platformName(ctx, platform)
    // The name of the account is only needed to tell two accounts of a platform apart.
    const isOnly = post.places.filter((place) => place.platform === platform).length === 1
    const content = `${mark(platform)}<span>${escapeHtml(label)}${isOnly ? '' : `, ${named(name)}`}</span>`
    if (!isWebAddress(url)) return `<li><span class="link">${content}</span></li>`
    const said = escapeHtml(words.openOn(label, name))
    return `<li><a class="link" href="${escapeHtml(url)}" rel="noreferrer noopener nofollow" aria-label="${said}">${content}</a></li>`
  })
  return (
    '<li><div>' +
    (title === '' ? '' : `<h3 dir="auto">${escapeHtml(title)}</h3>`) +
    (text === '' && title !== '' ? '' : `<p class="text" dir="auto">${escapeHtml(text === '' ? words.noText : text)}</p>`) +
    `<p class="meta"><span>${escapeHtml(timeText(words, post.publishedAt, shown.report.timezone))}</span>${figures.join('')}</p>` +
    `<ul class="places">${links.join('')}</ul></div></li>`
  )
}

function renderNotes({ shown, words }: Page): string {
  const { report, totals } = shown
  const days = (Date.parse(report.last_day) - Date.parse(report.first_day)) / dayMs + 1
  const [from, to] = [-days, -1].map((by) => new Date(Date.parse(report.first_day) + by * dayMs).toISOString().slice(0, 10))
  const notes = [
    words.sums,
    words.rateIs,
    words.compared(daysText(words, from ?? '', to ?? '')),
    totals.collectedAt === null ? words.noFigures : words.asOf(timeText(words, totals.collectedAt, report.timezone)),
    words.zone(report.timezone),
  ]
  return `<section class="about"><h2>${escapeHtml(words.about)}</h2><p class="note">${notes.map(escapeHtml).join(' ')}</p></section>`
}

const dayMs = 86_400_000

function rateOf({ rated, impressions }: Figures | Totals): number | null {
  return rateEngagement({ interactions: rated, impressions: impressions ?? 0 })
}

/** The beginning of a text, on one line and never cut within a character. */
function excerpt(text: string): string {
  const characters = [...text]
  const isLonger = characters.length > excerptLength
  const cut = isLonger ? characters.slice(0, excerptLength).join('') : text
  return cut.replaceAll(/\s+/g, ' ').trim() + (isLonger ? '…' : '')
}

/** A name that somebody chose. It cannot change the direction of the text around it. */
function named(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`
}

function isWebAddress(url: string | null): url is string {
  return url !== null && URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
}

function platformName({ connectors }: Context, platform: string): string {
  return isPlatform(platform) ? connectors[platform].manifest.name : platform
}

function mark(platform: string): string {
  if (!isPlatform(platform)) return ''
  return `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${marks[platform].path}"/></svg>`
}

function count({ locale }: ReportWords, value: number | null): string | null {
  return value === null ? null : new Intl.NumberFormat(locale).format(value)
}

function percent({ locale }: ReportWords, value: number | null): string | null {
  const options = { style: 'percent', maximumFractionDigits: 2 } as const
  return value === null ? null : new Intl.NumberFormat(locale, options).format(value / 100)
}

/** Days are dates without a time, so no time zone may move them. */
function daysText({ locale }: ReportWords, from: string, to: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return format.formatRange(new Date(from), new Date(to))
}

/** A month by its name, a week by its first day. */
function periodText({ locale }: ReportWords, startsOn: string, length: PeriodLength): string {
  const month = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  const options = length === 'month' ? month : ({ ...month, day: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, options).format(new Date(startsOn))
}

function timeText({ locale }: ReportWords, at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)
}
