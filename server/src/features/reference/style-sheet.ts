// The colours of the light and of the dark theme.
const light = '--paper: #fff; --ink: #1c1d1f; --quiet: #595b61; --line: #e5e4de; --bell: #8a4f10;'
const dark = '--paper: #15161a; --ink: #ececee; --quiet: #b3b5bb; --line: #2c2f36; --bell: #e3ac63;'

/** Sets Carillon's colours through the variables of the viewer (Scalar). It uses the fonts of the operating system. */
export const styleSheet = `
:root {
  color-scheme: light dark; ${light}
  --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --scalar-font-code: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  --scalar-custom-header-height: 3.25rem;
  --scalar-radius: 6px; --scalar-radius-lg: 10px; --scalar-radius-xl: 12px;
}
@media (prefers-color-scheme: dark) { :root { ${dark} } }
.light-mode {
  ${light}
  --scalar-background-2: #f8f7f4; --scalar-background-3: #efeee9; --scalar-background-accent: #8a4f1012;
  --scalar-color-3: #6b6d73; --scalar-sidebar-background-1: #fbfaf8;
  --scalar-color-green: #1a7346; --scalar-color-blue: #1f62b0; --scalar-color-yellow: #8f6200;
  --scalar-color-orange: #a8480c; --scalar-color-red: #b3261e; --scalar-color-purple: #6a45b5;
  --scalar-button-1-hover: #3a3b3f;
}
.dark-mode {
  ${dark}
  --scalar-background-2: #1c1e23; --scalar-background-3: #282b32; --scalar-background-accent: #e3ac6318;
  --scalar-color-3: #8f9198; --scalar-sidebar-background-1: #121317;
  --scalar-color-green: #63c790; --scalar-color-blue: #7db4f2; --scalar-color-yellow: #e6c15a;
  --scalar-color-orange: #f0955a; --scalar-color-red: #f2837b; --scalar-color-purple: #b79cf0;
  --scalar-button-1-hover: #fff;
}
.light-mode, .dark-mode {
  --scalar-background-1: var(--paper); --scalar-border-color: var(--line);
  --scalar-color-1: var(--ink); --scalar-color-2: var(--quiet); --scalar-color-accent: var(--bell);
  --scalar-button-1: var(--ink); --scalar-button-1-color: var(--paper);
  --scalar-link-color: var(--bell); --scalar-link-color-hover: var(--bell);
  --scalar-sidebar-color-1: var(--ink); --scalar-sidebar-color-2: var(--quiet); --scalar-sidebar-border-color: var(--line);
  --scalar-sidebar-item-hover-background: var(--scalar-background-3); --scalar-sidebar-item-hover-color: var(--ink);
  --scalar-sidebar-item-active-background: var(--scalar-background-accent); --scalar-sidebar-color-active: var(--bell);
  --scalar-sidebar-search-background: var(--paper); --scalar-sidebar-search-border-color: var(--line);
  --scalar-sidebar-search-color: var(--scalar-color-3);
}
body { margin: 0; background: var(--paper); }
.masthead {
  position: sticky; top: 0; z-index: 60; box-sizing: border-box; height: var(--scalar-custom-header-height); padding: 0 1rem;
  display: flex; align-items: center; gap: .6rem; border-bottom: 1px solid var(--line);
  background: var(--paper); color: var(--quiet); font: 500 .875rem/1 var(--scalar-font);
}
.masthead svg { width: 1.5rem; height: 1.5rem; color: var(--bell); }
.masthead strong { color: var(--ink); font-size: 1.0625rem; font-weight: 650; letter-spacing: -.01em; }
@media (max-width: 1000px) {
  :root { --scalar-custom-header-height: 0px; }
  .masthead { position: static; height: 3rem; border-bottom: 0; }
}
.plain { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color: var(--ink); font: 1rem/1.6 var(--scalar-font); }
.plain a { color: var(--bell); }
/* A section gets the focus when a link jumps to it; an outline around the whole section would distract. */
.section:focus { outline: none; }
.ascii-art { display: none; }
`

const bellPath =
  'M16 3.5a2 2 0 0 0-2 2v.4c-3.7.9-6 3.9-6 7.8 0 4.7-1.2 7-2.7 8.5-.8.8-.3 2.1.9 2.1h19.6c1.2 0 1.7-1.3.9-2.1-1.5' +
  '-1.5-2.7-3.8-2.7-8.5 0-3.9-2.3-6.9-6-7.8v-.4a2 2 0 0 0-2-2zM12.8 26a3.2 3.2 0 0 0 6.4 0z'

/** The logo on the page, in the colour of the text around it. */
export const logo = `<svg viewBox="0 0 32 32" aria-hidden="true"><path fill="currentColor" d="${bellPath}"/></svg>`

/** The icon in the browser's tab. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#8a4f10}' +
  `@media(prefers-color-scheme:dark){path{fill:#e3ac63}}</style><path d="${bellPath}"/></svg>`
