import { importedPaths, isGenerated, isTestFile, type SourceFile, type Violation } from './imports.ts'

/** What each folder of web/src may import from the others. A subject is every folder that is not listed here. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  theme: [],
  time: [],
  i18n: [],
  ui: ['theme'],
  api: ['i18n'],
  errors: ['api', 'i18n', 'ui'],
  actions: ['api', 'errors', 'i18n', 'ui', 'time', 'theme'],
}

/** Only these folders may use these packages and words, so that there is one place for each matter. */
const reserved: readonly { what: RegExp; folder: string; name: string }[] = [
  { what: /from '@base-ui\/react/, folder: 'ui', name: '@base-ui/react' },
  { what: /\bcreateCarillon\(/, folder: 'api', name: 'createCarillon' },
  { what: /(?<![.\w])fetch\(/, folder: 'api', name: 'fetch' },
  { what: /\bTemporal\b/, folder: 'time', name: 'Temporal' },
  { what: /\bIntl\.DateTimeFormat\b/, folder: 'time', name: 'Intl.DateTimeFormat' },
]

const entryFiles = new Set(['web/src/main.tsx', 'web/src/routes.tsx'])

/** The layers of the web app: folders without a subject know no subject, and only routes.tsx knows pages. */
export function checkWeb(file: SourceFile): Violation[] {
  const { path } = file
  if (!path.startsWith('web/src/') || isTestFile(path) || isGenerated(path)) return []
  const folder = folderOf(path)
  return [...importProblems(file, folder), ...reservedProblems(file, folder)].map((problem) => ({ path, problem }))
}

function importProblems(file: SourceFile, folder: string): string[] {
  if (entryFiles.has(file.path)) return []
  return importedPaths(file).flatMap((target) => {
    const to = folderOf(target)
    if (target.endsWith('.page.tsx')) return [`imports ${target}: only routes.tsx imports pages`]
    if (entryFiles.has(target)) return [`imports ${target}: nothing may`]
    if (to === 'shell' && folder !== 'shell') return [`imports ${target}: only routes.tsx and main.tsx import the shell`]
    const allowed = mayImport[folder]
    return allowed === undefined || to === folder || allowed.includes(to) ? [] : [`${folder} may not import ${target}`]
  })
}

function reservedProblems({ path, text }: SourceFile, folder: string): string[] {
  // The entry file wraps the app in Base UI's provider.
  if (entryFiles.has(path)) return []
  const found = reserved.filter(({ what, folder: owner }) => folder !== owner && what.test(text))
  return found.map(({ name, folder: owner }) => `uses ${name}; only web/src/${owner}/ may`)
}

function folderOf(path: string): string {
  return path.split('/').slice(2, -1)[0] ?? ''
}
