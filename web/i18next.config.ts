import { defineConfig } from 'i18next-cli'

/** `i18next-cli lint` finds texts that are written into the code. A test compares the languages. */
export default defineConfig({
  locales: ['en', 'de'],
  extract: {
    input: 'src/**/*.{ts,tsx}',
    ignore: ['src/gallery/**', '**/*.test.ts', '**/*.gen.ts'],
    output: 'src/i18n/{{language}}/{{namespace}}.json',
    defaultNS: 'shell',
    primaryLanguage: 'en',
    secondaryLanguages: ['de'],
  },
  lint: { ignore: ['src/gallery/**', 'src/theme/**', '**/*.test.ts'] },
})
