import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'

/** The version of the program, its image and its chart. The SDK has a version of its own. */
export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as { version: string }
  return version
}

export const changelogFile = 'CHANGELOG.md'
const unreleasedHeading = '## Not released yet'

/** The files that repeat the version, and the lines in which they do. */
export const versionLines: readonly { file: string; pattern: RegExp }[] = [
  { file: 'server/package.json', pattern: /(?<="version": ")[^"]+/g },
  { file: 'contract/src/openapi/build-open-api.ts', pattern: /(?<=^ {6}version: ')[^']+/gm },
  { file: 'web/package.json', pattern: /(?<="version": ")[^"]+/g },
  ...['compose.yaml', 'compose.try.yaml', 'compose.nodes.yaml'].map((name) => ({
    file: `deploy/${name}`,
    pattern: /(?<=[-/]carillon:)[^}]+(?=-video\})/g,
  })),
  { file: 'deploy/helm/carillon/Chart.yaml', pattern: /(?<=^(?:version|appVersion): ).+$/gm },
]

/** The changelog of a release: what was not released yet gets the version and the day as its heading. */
export function closeChangelog(text: string, version: string, day: string): string {
  if (!text.includes(`${unreleasedHeading}\n`)) throw new Error(`${changelogFile} has no heading "${unreleasedHeading}".`)
  if (text.includes(`## ${version} `)) throw new Error(`${changelogFile} has a section for ${version} already.`)
  return text.replace(`${unreleasedHeading}\n`, `${unreleasedHeading}\n\n## ${version} (${day})\n`)
}
