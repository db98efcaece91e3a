import { defineConfig } from 'i18next-cli'
import { languages } from './src/i18n/language.ts'

/** `i18next-cli lint` finds texts that are written into the code. A test compares the languages. */
export default defineConfig({
  locales: [...languages],
  extract: {
    input: 'src/**/*.{ts,tsx}',
    ignore: ['src/gallery/**', '**/*.test.ts', '**/*.gen.ts'],
    output: 'src/i18n/{{language}}/{{namespace}}.json',
    defaultNS: 'shell',
    primaryLanguage: 'en',
    secondaryLanguages: languages.filter((language) => language !== 'en'),
  },
  lint: { ignore: ['src/gallery/**', 'src/theme/**', '**/*.test.ts'] },
})
