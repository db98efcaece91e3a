import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { apiWords } from './generate/api-words.ts'
import { chartFiles } from './generate/chart-files.ts'
import { deployTemplates } from './generate/deploy-templates.ts'
import { errorIndex } from './generate/error-index.ts'
import { interfaceCoverage } from './generate/interface-coverage.ts'
import type { FileGenerator } from './generate/file-generator.ts'
import { folderTables } from './generate/folder-tables.ts'
import { openApi } from './generate/open-api.ts'
import { platformLists } from './generate/platform-lists.ts'
import { platformMentions } from './generate/platform-mentions.ts'
import { platformMarks } from './generate/platform-marks.ts'
import { platformNames } from './generate/platform-names.ts'
import { platformPages } from './generate/platform-pages.ts'
import { pythonMethods } from './generate/python-methods.ts'
import { pythonTypes } from './generate/python-types.ts'
import { sdkMethods } from './generate/sdk-methods.ts'
import { sdkSchema } from './generate/sdk-schema.ts'
import { sdkTypes } from './generate/sdk-types.ts'
import { settingsReference } from './generate/settings-reference.ts'
import { webQueries } from './generate/web-queries.ts'
import { findStale, writeStale } from './generate/stale-files.ts'

/** Everything that is generated and committed. To add a generator, write a file in generate/ and list it here. */
const generators: readonly FileGenerator[] = [
  openApi,
  sdkSchema,
  sdkTypes,
  sdkMethods,
  pythonTypes,
  pythonMethods,
  webQueries,
  platformMarks,
  platformNames,
  apiWords,
  platformPages,
  platformMentions,
  errorIndex,
  interfaceCoverage,
  folderTables,
  settingsReference,
  deployTemplates,
  chartFiles,
]

exitWithHelp('pnpm generate [--check]   rewrites every generated file that is not current; --check only names them, and fails')
const isCheck = process.argv.includes('--check')
// The lists come first: other generators load what they list.
const staleLists = await findStale(platformLists)
if (!isCheck) await writeStale(staleLists)
const stale = [...staleLists, ...(await Promise.all(generators.map(findStale))).flat()]

for (const { path, state } of stale) console[isCheck ? 'error' : 'log'](`${state}: ${path}`)
if (!isCheck) await writeStale(stale)
else if (stale.length > 0) {
  console.error('Run `pnpm generate` and commit what it writes.')
  process.exitCode = 1
}
