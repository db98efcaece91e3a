import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'

/** The version of the program, its image and its chart: every other file repeats it. The SDK, the MCP server and the other packages have versions of their own. */
export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8')) as { version: string }
  return version
}

export const changelogFile = 'CHANGELOG.md'
const unreleasedHeading = '## Not released yet'

/** Packages that are never published by themselves. They have the version of the program, so that no file keeps an older one. */
const privatePackages = [
  'server',
  'contract',
  'core',
  'connectors',
  'web',
  'docs-site',
  'simulator',
  'e2e',
  'bench',
  'stack',
  'scripts',
]

/** The files that repeat the version, and the lines in which they do. */
export const versionLines: readonly { file: string; pattern: RegExp }[] = [
  ...privatePackages.map((name) => ({ file: `${name}/package.json`, pattern: /(?<="version": ")[^"]+/g })),
  { file: 'contract/openapi.json', pattern: /(?<=^ {4}"version": ")[^"]+/gm },
  ...['compose.yaml', 'compose.try.yaml', 'compose.nodes.yaml'].map((name) => ({
    file: `deploy/${name}`,
    pattern: /(?<=[-/]carillon:)[^}]+(?=-video\})/g,
  })),
  ...['coolify.yaml', 'portainer.yaml', 'casaos.yaml'].map((name) => ({
    file: `deploy/templates/${name}`,
    pattern: /(?<=carillon:)\d\S+(?=-video$)/gm,
  })),
  { file: 'deploy/helm/carillon/Chart.yaml', pattern: /(?<=^(?:version|appVersion): ).+$/gm },
]

/** These name versions of other things, or versions of the past. */
const otherVersions = [
  ':!pnpm-lock.yaml',
  ':!pnpm-workspace.yaml',
  ':!*CHANGELOG.md',
  // They name the release that recorded them.
  ':!simulator/transcripts',
  ':!*.test.ts',
  ':!sdk/package.json',
  ':!mcp/package.json',
  ':!cli/package.json',
  ':!python/pyproject.toml',
  ':!integrations/n8n/package.json',
  ':!scripts/check',
  ':!bench/results',
]

/** The lines that still name a version after a release has left it. A line may be right, such as an example; somebody has to look at it. */
export async function findLeftovers(version: string): Promise<string[]> {
  const pattern = `(^|[^0-9.])${version.replaceAll('.', String.raw`\.`)}($|[^0-9])`
  // git ends with 1 if it finds nothing, and says nothing then.
  const found = await runCommand('git', ['grep', '-nIE', pattern, '--', '.', ...otherVersions], { cwd: root }).catch(
    (error: Error) => {
      if (error.message.trimEnd().endsWith('ended with 1')) return ''
      throw error
    },
  )
  return found.split('\n').filter((line) => line !== '')
}

/** The changelog of a release: what was not released yet gets the version and the day as its heading. */
export function closeChangelog(text: string, version: string, day: string): string {
  if (!text.includes(`${unreleasedHeading}\n`)) throw new Error(`${changelogFile} has no heading "${unreleasedHeading}".`)
  if (text.includes(`## ${version} `)) throw new Error(`${changelogFile} has a section for ${version} already.`)
  return text.replace(`${unreleasedHeading}\n`, `${unreleasedHeading}\n\n## ${version} (${day})\n`)
}
