import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { preloadFonts } from './build/preload-fonts.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts(), compressFiles()],
  resolve: {
    alias: [
      // Browsers that have Temporal do not load the polyfill. `core` and `time/` import it by its package name.
      { find: /^temporal-polyfill$/, replacement: fileURLToPath(new URL('src/time/temporal.ts', import.meta.url)) },
    ],
  },
  build: {
    target: 'es2023',
    // The policy of the page forbids inline scripts and styles, and data addresses for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without these groups, each icon and hook that two pages share is a file of its own, and the first page loads 110 files.
          groups: [
            { name: 'icons', test: 'lucide-react', priority: 1 },
            { name: 'common', minShareCount: 10, maxModuleSize: 6000 },
          ],
        },
      },
    },
  },
})
