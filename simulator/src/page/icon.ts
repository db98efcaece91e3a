/** The icon of the pages: a bell, as in the web app. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>path{fill:#8a4f10}' +
  '@media(prefers-color-scheme:dark){path{fill:#e3ac63}}</style>' +
  '<path d="M16 3.5a2 2 0 0 0-2 2v.4c-3.7.9-6 3.9-6 7.8 0 4.7-1.2 7-2.7 8.5-.8.8-.3 2.1.9 2.1h19.6c1.2 0 1.7-1.3.9-2.1-1.5' +
  '-1.5-2.7-3.8-2.7-8.5 0-3.9-2.3-6.9-6-7.8v-.4a2 2 0 0 0-2-2zM12.8 26a3.2 3.2 0 0 0 6.4 0z"/></svg>'
