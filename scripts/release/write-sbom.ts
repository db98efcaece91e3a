import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import { readVersion } from './versions.ts'

type Component = { type?: string; name: string; version: string; purl?: string; cpe?: string; licenses?: unknown[] }
type Dependency = { ref: string; dependsOn?: string[] }
type Sbom = {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component & { type: string } }
  components: Component[]
  dependencies?: Dependency[]
}

/**
 * What a release consists of: the server with its command line and the SDK, and its web app, with what they need to run. Each package is reached
 * in one way only, because pnpm gives what it needs to one of the ways, and not always to the same one.
 */
const parts = ['@carillon/server', '@carillon/web']

/**
 * The same commit gives the same text: it has no serial number, and its time is that of the commit. `debian` is what the image says of its
 * Debian packages, as in dpkg's own files.
 */
export async function writeSbom(debian = ''): Promise<{ text: string; components: number }> {
  const filters = parts.flatMap((name) => ['--filter', name])
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-spec-version',
    '1.6',
    '--sbom-type',
    'application',
    '--prod',
    ...filters,
  ]
  const sbom: Sbom = JSON.parse(await runCommand('pnpm', args, { cwd: root }))
  const incomplete = sbom.components.filter(({ version, purl, licenses }) => !version || !purl || !licenses)
  if (incomplete.length > 0) {
    const names = incomplete.map(({ name }) => name).join(', ')
    throw new Error(`The list of packages lacks a version or a licence of ${names}. Run \`pnpm install\` and try again.`)
  }
  sbom.components.push(await describeNode(), ...readDebianPackages(debian))
  const version = await readVersion()
  delete sbom.serialNumber
  sbom.metadata.timestamp = await readCommitTime()
  Object.assign(sbom.metadata.component, { name: 'carillon', version, purl: `pkg:npm/carillon@${version}` })
  sort(sbom)
  return { text: `${JSON.stringify(sbom, null, 2)}\n`, components: sbom.components.length }
}

/** The Node that the image contains. Scanners look its gaps up by the CPE. */
async function describeNode(): Promise<Component> {
  const printed = await runCommand('pnpm', ['exec', 'node', '--version'], { cwd: root })
  const version = printed.trim().replace('v', '')
  return {
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

/** One component for each paragraph. Their licences are in the image, in usr/share/doc. */
export function readDebianPackages(text: string): Component[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1] ?? ''
    const [name, version, arch] = [field('Package'), field('Version'), field('Architecture')]
    if (name === '') return []
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-12`
    return [{ type: 'library', name, version, purl }]
  })
}

/** pnpm lists packages in the order in which it has read them. */
function sort({ components, dependencies = [] }: Sbom): void {
  components.sort((one, other) => (one.purl ?? '').localeCompare(other.purl ?? '', 'en'))
  dependencies.sort((one, other) => one.ref.localeCompare(other.ref, 'en'))
  for (const { dependsOn } of dependencies) dependsOn?.sort()
}

async function readCommitTime(): Promise<string> {
  const printed = await runCommand('git', ['log', '-1', '--format=%cI'], { cwd: root })
  return new Date(printed.trim()).toISOString()
}
