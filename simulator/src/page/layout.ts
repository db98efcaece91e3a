import { html, type Reply } from '../http/reply.ts'
import { markup, type Markup } from '../text/markup.ts'

/** Pages load everything from this server and run no inline script or style, so that a text in a post can never do so either. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

export type PageOptions = {
  title: string
  body: Markup
  status?: number
  /** Which entry of the navigation is the current one. */
  current?: 'feed' | 'faults'
  activeFaults?: number
  /** What a person should know about the stored data. */
  notice?: string | undefined
}

/** A page with the navigation. */
export function page({ title, body, status = 200, current, activeFaults = 0, notice }: PageOptions): Reply {
  const entry = (name: 'feed' | 'faults', path: string, label: Markup) =>
    markup`<a href="${path}" ${current === name && markup`aria-current="page"`}>${label}</a>`
  const count = activeFaults > 0 && markup` <span class="count">${activeFaults}<span class="hidden"> active</span></span>`
  return document(
    title,
    markup`<header class="top">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="26" height="26"> Simulator</a>
<nav aria-label="Main">${entry('feed', '/', markup`Feed`)}${entry('faults', '/faults', markup`Faults${count}`)}</nav>
<p>Simulated platforms. Nothing here is published on the real ones.</p>
</header>
${notice !== undefined && markup`<p class="notice" role="status">${notice}</p>`}
${body}`,
    status,
  )
}

/** A page without the navigation. */
export function document(title: string, body: Markup, status = 200): Reply {
  const reply = html(
    status,
    markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Carillon simulator</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<script src="/page.js" defer></script>
</head>
<body>
${body}
</body>
</html>`.toString(),
  )
  Object.assign(reply.headers, {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  return reply
}
