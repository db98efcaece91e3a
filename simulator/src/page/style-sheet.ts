import type { Platform } from '../platform.ts'

const style = `:root {
  color-scheme: light dark;
  --canvas: #fbf9f5; --surface: #fff; --sunken: #f3f0ea; --line: #e0dbd1; --edge: #8f877a; --ink: #241d18; --quiet: #5f574e;
  --bell: #8a4f10; --on-bell: #fffdf8; --wash: #fbeedd; --warning: #a5361f; --warning-wash: #fdeeea
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #131519; --surface: #1b1e23; --sunken: #0e1013; --line: #33373e; --edge: #757a83; --ink: #efece6; --quiet: #b6b1a8;
    --bell: #e3ac63; --on-bell: #221a0e; --wash: #362b1b; --warning: #f0937d; --warning-wash: #3c2019
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif }
a { color: var(--bell) }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--bell); outline-offset: 2px; border-radius: .3rem }
h1 { font-size: 1.6rem; line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .5rem }
h2 { font-size: 1.05rem; margin: 0 0 .75rem }
code { font: .85em ui-monospace, 'Cascadia Mono', Menlo, monospace; color: var(--quiet); overflow-wrap: anywhere }
.quiet, small { color: var(--quiet) }
.quiet { font-size: .875rem }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.top {
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .7rem clamp(1rem, 3vw, 2rem);
  background: var(--surface); border-bottom: 1px solid var(--line)
}
.top p { margin: 0 0 0 auto; color: var(--quiet); font-size: .875rem }
.brand { display: flex; align-items: center; gap: .45rem; font-weight: 650; color: var(--ink); text-decoration: none }
.top nav { display: flex; gap: .25rem }
.top nav a { padding: .35rem .7rem; border-radius: .5rem; color: var(--ink); text-decoration: none }
.top nav a:hover { background: var(--sunken) }
.top nav a[aria-current] { background: var(--wash); color: var(--bell); font-weight: 600 }
.count {
  display: inline-block; min-width: 1.35rem; padding: 0 .35rem; border-radius: 1rem; background: var(--warning); color: var(--surface);
  font-size: .78rem; font-weight: 650; text-align: center; line-height: 1.35rem
}
main { padding: 1.25rem clamp(1rem, 3vw, 2rem) 4rem; max-width: 90rem; margin: 0 auto }
.narrow { max-width: 40rem }
.crumbs { margin: 0 0 .75rem; font-size: .875rem; color: var(--quiet); overflow-wrap: anywhere }
.notice {
  margin: 0 0 1rem; padding: .7rem .9rem; border: 1px solid var(--line); border-left: 4px solid var(--bell); border-radius: .5rem;
  background: var(--wash); overflow-wrap: anywhere
}
.top + .notice { margin: 1rem clamp(1rem, 3vw, 2rem) 0 }
.notice.error { border-left-color: var(--warning); background: var(--warning-wash) }
.panel, .post { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem }
.panel { padding: 1.1rem }
.empty {
  padding: 2.5rem 1rem; border: 1px dashed var(--line); border-radius: .75rem; text-align: center; color: var(--quiet); margin: 0 0 1.25rem
}
.empty h2 { color: var(--ink) }
.empty p { margin: 0 }

.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.25rem }
.chip {
  display: inline-flex; align-items: center; gap: .45rem; padding: .3rem .75rem; border: 1px solid var(--line); border-radius: 2rem;
  background: var(--surface); color: var(--ink); font-size: .9rem; text-decoration: none; max-width: 100%
}
.chip:hover { border-color: var(--edge) }
.chip[class*='platform-']::before, .column h2::before, h1[class*='platform-']::before {
  content: ''; width: .65rem; height: .65rem; border-radius: 50%; background: var(--platform); flex: none
}
h1[class*='platform-'] { display: flex; align-items: center; gap: .6rem }
.columns { columns: 20rem; column-gap: 1.25rem }
.column { break-inside: avoid; margin-bottom: 1.75rem }
.column h2 { display: flex; align-items: center; gap: .5rem }
.column h2 a { color: inherit; text-decoration: none }
.column h2 a:hover { text-decoration: underline }
.feed:has(.list) { max-width: 44rem }
.profile { display: flex; gap: 1rem; align-items: center; margin: 0 0 1.5rem; overflow-wrap: anywhere }
.profile p { margin: .15rem 0 0 }
.profile h1 { margin: 0 }

.avatar { border-radius: 50%; flex: none; display: block }
.post { padding: 1rem; margin-bottom: .75rem; overflow-wrap: anywhere; border-top: 3px solid var(--platform) }
.post > header { display: flex; align-items: center; gap: .7rem }
.post > header > div:not(.tags) { min-width: 0; flex: 1 }
.post .name { display: block; color: var(--ink); font-weight: 600; text-decoration: none; line-height: 1.25 }
.post .name:hover { text-decoration: underline }
.post > header .quiet a { color: inherit; text-decoration: none }
.post > header .quiet a:hover { text-decoration: underline }
.tags { display: flex; flex-direction: column; align-items: flex-end; gap: .3rem; flex: none }
.tag {
  border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .55rem; font-size: .78rem; color: var(--quiet); white-space: nowrap
}
.tag.warning { border-color: var(--warning); color: var(--warning) }
.post .title { font-size: 1.1rem; margin: .75rem 0 0; line-height: 1.3 }
.post .text { white-space: pre-wrap; margin: .65rem 0 0 }
.post.deleted { border-style: dashed }
.post.deleted .text, .post.deleted .title { text-decoration: line-through; color: var(--quiet) }
.post.deleted .media { filter: grayscale(1); opacity: .6 }
.figures { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .75rem 0 0; font-size: .875rem; color: var(--quiet) }
.replies { margin: 0 0 .75rem 1rem; padding-left: .75rem; border-left: 2px solid var(--line) }
.replies .post { border-top-width: 1px; border-top-color: var(--line) }

.media { display: grid; grid-template-columns: 1fr 1fr; gap: .4rem; margin-top: .8rem }
.media-1 { grid-template-columns: 1fr }
.media-5 { grid-template-columns: repeat(3, 1fr) }
.media-3 figure:first-child { grid-row: span 2 }
.media figure { margin: 0; display: flex; flex-direction: column; min-width: 0 }
.media figure a { display: flex; flex: 1 }
.media img, .media video { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: .5rem; background: var(--sunken); display: block }
.media-1 img { aspect-ratio: auto; max-height: 34rem; object-fit: contain }
.media video { aspect-ratio: auto; max-height: 34rem; object-fit: contain }
.media-3 figure:first-child img { height: 100%; aspect-ratio: auto }
figcaption { padding: .35rem .1rem 0; font-size: .85rem; color: var(--quiet) }
figcaption b {
  font-size: .7rem; text-transform: uppercase; letter-spacing: .04em; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .3rem
}
.file, .link {
  display: flex; flex-direction: column; gap: .15rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .6rem;
  background: var(--sunken); color: var(--ink); text-decoration: none; min-width: 0
}
a.file:hover, a.link:hover { border-color: var(--edge) }
.file b { color: var(--bell); font-size: .8rem; letter-spacing: .04em; text-transform: uppercase }
.link { margin-top: .8rem }
.link .host { font-size: .8rem; color: var(--quiet) }

.post-page { display: grid; grid-template-columns: minmax(0, 40rem) minmax(17rem, 26rem); gap: .25rem 1.75rem; align-items: start; justify-content: center }
.post-page .crumbs { grid-column: 1 / -1 }
.post-page .post { padding: 1.25rem }
.post-page aside { display: grid; gap: .9rem }
.post-page .panel h2 { font-size: .95rem }
.post-page .panel > p { margin: .75rem 0 0; font-size: .9rem }
dl { margin: 0; font-size: .92rem }
dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .1rem .75rem; padding: .4rem 0; border-top: 1px solid var(--line) }
dl > div:first-child { border-top: 0; padding-top: 0 }
dl.options > div { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) }
dt { color: var(--quiet) }
dt code { display: block; font-size: .75rem }
dd { margin: 0; overflow-wrap: anywhere }
.calls { margin: 0; padding-left: 1.2rem; font-size: .92rem; display: grid; gap: .5rem }

.lead { max-width: 46rem; margin: 0 0 1.25rem; color: var(--quiet) }
.faults { max-width: 64rem }
.rules { list-style: none; margin: 0 0 .75rem; padding: 0; display: grid; gap: .5rem }
.rule {
  display: flex; gap: 1rem; align-items: center; padding: .8rem 1rem; background: var(--surface); border: 1px solid var(--line);
  border-left: 4px solid var(--warning); border-radius: .6rem
}
.rule.over { border-left-color: var(--line) }
.rule > div { display: grid; flex: 1; min-width: 0; overflow-wrap: anywhere }
.faults section { margin-bottom: 1.5rem }
.fields { display: flex; flex-wrap: wrap; gap: .9rem 1.25rem; align-items: flex-end }
.fault-form > .fields { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)) }
.fault-form > .fields > label { font-size: .9rem }
.fault-form .wide { grid-column: span 2 }
label input:not([type=checkbox]):not([type=radio]), label select {
  display: block; width: 100%; min-height: 2.5rem; margin-top: .25rem; padding: .4rem .6rem; font: inherit; color: var(--ink);
  border: 1px solid var(--edge); border-radius: .5rem; background: var(--canvas)
}
.kinds { border: 0; margin: 1.5rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: .6rem }
.kinds legend { font-weight: 650; padding: 0 0 .6rem }
.kind { display: flex; gap: .7rem; padding: .85rem 1rem; border: 1px solid var(--line); border-radius: .6rem; position: relative }
.kind:hover { border-color: var(--edge) }
.kind:has(input[type=radio]:checked) { border-color: var(--bell); background: var(--wash) }
.kind > input { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; accent-color: var(--bell) }
.kind > div { min-width: 0 }
.kind > div > label { font-weight: 600; cursor: pointer }
.kind > div > label::after { content: ''; position: absolute; inset: 0 }
.kind p { margin: .15rem 0 0; font-size: .92rem }
.kind .fields { display: none; position: relative; margin-top: .6rem; font-size: .9rem; align-items: center }
.kind:has(input[type=radio]:checked) .fields { display: flex }
.kind .fields input[type=number] { display: inline-block; width: 6.5rem }
.kind .fields select { display: inline-block; width: auto; max-width: 100% }
.flag { display: inline-flex; align-items: center; gap: .45rem }
.flag input { width: 1.1rem; height: 1.1rem; accent-color: var(--bell) }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; padding: .55rem 1.1rem; border: 1px solid var(--bell); border-radius: .5rem;
  background: var(--bell); color: var(--on-bell); cursor: pointer; text-decoration: none; white-space: nowrap
}
button.plain { background: var(--surface); color: var(--ink); border-color: var(--edge); font-weight: 500; padding: .4rem .85rem }
button.plain:hover { background: var(--sunken) }

.consent { max-width: 26rem; margin: 10vh auto; border-top: 4px solid var(--platform); padding: 1.5rem }
.consent h1 { font-size: 1.35rem }
.consent small { font-weight: 400 }
.scopes { display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; margin: 0 0 1rem; padding: 0 }
.scopes li { border: 1px solid var(--line); border-radius: .35rem; padding: .05rem .45rem; font: .8rem ui-monospace, Menlo, monospace; color: var(--quiet) }
.buttons { display: flex; gap: .6rem }

@media (max-width: 60rem) {
  .post-page { grid-template-columns: minmax(0, 1fr); max-width: 44rem }
  .top p { margin: 0; flex-basis: 100% }
}
@media (max-width: 40rem) {
  .fault-form > .fields { grid-template-columns: minmax(0, 1fr) }
  .fault-form .wide { grid-column: auto }
}
@media (max-width: 30rem) {
  .rule { flex-direction: column; align-items: stretch }
  .consent { margin: 1rem }
  .post-page .post { padding: 1rem }
}
`

/** The style of every page. The colours of the platforms are classes, because the pages' policy allows no inline style. */
export function styleSheet(platforms: readonly Platform[]): string {
  const colours = platforms.map(({ colour, context: { name } }) => `.platform-${name} { --platform: ${colour} }`)
  return `${style}${colours.join('\n')}\n`
}
