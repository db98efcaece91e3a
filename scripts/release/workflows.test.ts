import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../stack/services/folders.ts'

type Step = { name?: string; uses?: string; run?: string }
type Workflow = { permissions: unknown; jobs: Record<string, { steps: Step[] }> }

const folder = join(root, '.github/workflows')
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const work = mkdtempSync(join(tmpdir(), 'carillon-workflows-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

function findStep(file: string, name: string): string {
  const { jobs } = parse(workflows.find((each) => each.name === file)?.text ?? '') as Workflow
  const step = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((each) => each.name === name)
  if (!step?.run) throw new Error(`${file} has no step "${name}"`)
  return step.run
}

/** Runs the commands of a step as GitHub does, with a stand-in for a program that only GitHub's machines can use. */
async function runStep(script: string, { program, answers, env }: { program: string; answers: string; env: object }) {
  const stub = join(work, program)
  writeFileSync(stub, `#!/usr/bin/env bash\necho "${program} $*" >>"${work}/calls"\n${answers}\n`)
  chmodSync(stub, 0o755)
  writeFileSync(join(work, 'calls'), '')
  const options = { cwd: root, env: { PATH: `${work}:${process.env['PATH']}`, ...env } }
  const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], options)
  return { stdout, calls: readFileSync(join(work, 'calls'), 'utf8') }
}

/** Guarantee: nobody can change what a workflow runs by moving a tag. */
test.each(workflows)('$name uses actions by their digest, and may do nothing by default but read', ({ text }) => {
  const { jobs, permissions } = parse(text) as Workflow
  const uses = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
  expect(uses.length).toBeGreaterThan(0)
  for (const each of uses) expect(each).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
  expect(permissions).toEqual({ contents: 'read' })
})

/** Guarantee: a release candidate does not become what everybody installs. */
describe('the draft of a release', () => {
  const script = findStep('release.yml', 'Draft of the release').replaceAll('notes.md', join(work, 'notes.md'))

  test.each([
    ['v1.2.0', '--latest'],
    ['v1.2.0-rc.1', '--prerelease'],
  ])('%s is made with %s', async (tag, flag) => {
    const { calls } = await runStep(script, { program: 'gh', answers: '', env: { GITHUB_REF_NAME: tag } })
    expect(calls).toContain(`gh release create ${tag} ${flag} --draft --verify-tag`)
  })
})

test.each([
  ['v1.2.0', 'latest'],
  ['v1.2.0-rc.1', 'next'],
])('npm gets %s under the tag %s', async (tag, channel) => {
  const script = findStep('publish.yml', 'Publish what is not there yet')
  // Nothing is published yet, except this version of the SDK.
  const answers = '[ "$1" != view ] || [[ "$2" = @carillon/sdk* ]]'
  const { calls, stdout } = await runStep(script, { program: 'npm', answers, env: { TAG: tag } })
  expect(calls).toContain(`npm publish ./release/carillon-${tag.slice(1)}.tgz --provenance --access public --tag ${channel}\n`)
  expect(calls).toMatch(/^npm publish \.\/release\/carillon-cli-\d\S+\.tgz --provenance --access public/m)
  expect(calls).toMatch(/^npm publish \.\/release\/carillon-mcp-\d\S+\.tgz --provenance --access public/m)
  expect(calls).not.toContain('npm publish ./release/carillon-sdk')
  expect(stdout).toContain('is published already')
})

/** Guarantee: only a maintainer's own signature makes a release. */
describe('the tag of a release', () => {
  const script = findStep('release.yml', 'The tag is signed by somebody whom GitHub knows')
  const env = { GITHUB_REF_NAME: 'v1.2.0', GITHUB_REPOSITORY: 'carillon-dev/carillon' }
  const gh = (type: string, verified: string) => `case $2 in */git/ref/*) echo '${type} abc' ;; *) echo '${verified}' ;; esac`

  test('is accepted if its signature is valid', async () => {
    const { calls } = await runStep(script, { program: 'gh', answers: gh('tag', 'true valid'), env })
    expect(calls).toContain('gh api repos/carillon-dev/carillon/git/tags/abc ')
  })

  test.each([
    ['is a name for a commit', gh('commit', ''), 'no annotated tag'],
    ['is not signed', gh('tag', 'false unsigned'), 'not valid: unsigned'],
  ])('is refused if it %s', async (_, answers, message) => {
    await expect(runStep(script, { program: 'gh', answers, env })).rejects.toMatchObject({
      stdout: expect.stringContaining(message),
    })
  })
})

/** Guarantee: a release is on the site without a step by hand, and a release candidate does not replace it. */
describe('the site', () => {
  const script = findStep('publish.yml', 'The branch that the site is served from')
  const run = promisify(execFile)

  async function publishSite(tag: string): Promise<{ stdout: string; remote: string }> {
    const dir = mkdtempSync(join(work, 'site-'))
    const remote = join(dir, 'remote.git')
    await run('git', ['init', '--quiet', '--bare', remote])
    mkdirSync(join(dir, 'release'))
    mkdirSync(join(dir, 'built'))
    writeFileSync(join(dir, 'built/index.html'), `the documentation of ${tag}`)
    const archive = join(dir, `release/carillon-docs-${tag.slice(1)}.tgz`)
    await run('tar', ['-czf', archive, '-C', join(dir, 'built'), '.'])
    const env = { PATH: process.env['PATH'], HOME: dir, TAG: tag, SITE: remote, SITE_DOMAIN: 'docs.example.org' }
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: dir, env })
    return { stdout, remote }
  }

  test('is what the release has, with the name of its domain', async () => {
    const { remote } = await publishSite('v1.2.0')
    const show = async (path: string) => (await run('git', ['--git-dir', remote, 'show', `gh-pages:${path}`])).stdout
    expect(await show('index.html')).toBe('the documentation of v1.2.0')
    expect(await show('CNAME')).toBe('docs.example.org\n')
    // Without this file, GitHub leaves out folders whose names begin with an underscore.
    expect(await show('.nojekyll')).toBe('')
  })

  test('stays as it is after a release candidate', async () => {
    const { stdout, remote } = await publishSite('v1.2.0-rc.1')
    expect(stdout).toContain('is a prerelease')
    expect((await run('git', ['--git-dir', remote, 'branch'])).stdout).toBe('')
  })
})
