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
          // Without these groups, each icon and hook that two pages share is a file of its own, and the first page loads 110 files. A group
          // brings along everything that its modules import. Dialogs and form fields import most of the components' library, and the first
          // page opens with none of them: they are left out, and so are parts of few pages and buttons with a tooltip.
          groups: [
            { name: 'icons', test: 'lucide-react', minShareCount: 2, priority: 2 },
            {
              name: 'own',
              test: /web\/src\/(?!ui\/(?:overlay\/|form\/|icon-button\.tsx)|schedule\/|settings\/|time\/read-day|ui\/copy-|labels\/)/,
              minShareCount: 10,
              maxModuleSize: 6000,
              priority: 1,
            },
            { name: 'common', minShareCount: 20, maxModuleSize: 6000 },
          ],
        },
      },
    },
  },
})
