import type { Plugin } from 'vite'

const preloaded = /(?:instrument-sans|fraunces)-latin-wght-normal-[\w-]+\.woff2$/

/** Adds a preload for the two fonts that every page uses: otherwise the browser learns of them only after the style sheet. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        return Object.keys(bundle)
          .filter((file) => preloaded.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}
