import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Manifest, Transcript } from '@carillon/contract'
import { readConfig, type Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createApiKey, revokeApiKey } from '../features/api-keys/manage-api-keys.ts'
import type { ConnectionRow } from '../features/connections/connection.store.ts'
import { connectorOf } from '../features/connections/connector-of.ts'
import { chooseKinds, listKinds, type Kind } from '../features/live-test/list-kinds.ts'
import { findNamedConnections, findOwner } from '../features/live-test/live-test.store.ts'
import { runLiveTest, type CallApi, type KindResult, type LiveTestResult } from '../features/live-test/run-live-test.ts'
import { postRoutes } from '../features/posts/post.routes.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { flag, optionalText, requiredText } from '../infra/command-line/option.ts'
import { createApp } from '../infra/http/create-app.ts'
import type { RequestScope } from '../infra/http/request-scope.ts'
import { StartError } from '../infra/problem/problem.ts'
import { httpHooks } from './http-hooks.ts'
import { openContext } from '../open-context.ts'

export const liveTestCommand = defineCommand({
  details:
    'Publishes one post of each kind that the platform can have on a connected account, through the running service, reads it back, pulls its ' +
    'figures, deletes it, and says what held. The texts say that they are a test. It asks before it publishes. It writes a transcript of the ' +
    'exchange with the platform, in which secrets, ids, names, addresses and texts are replaced. The exit code is 1 if anything did not hold.',
  options: {
    connection: requiredText({ placeholder: 'CONNECTION', about: 'The slug or id of the connection.', isWord: true }),
    workspace: optionalText({ placeholder: 'ID', about: 'Its workspace, if several have a connection of this name.' }),
    only: optionalText({ placeholder: 'KINDS', about: 'Only these kinds, separated by commas, for example text,image.' }),
    transcript: optionalText({
      placeholder: 'FILE',
      about:
        'Where the transcript is written. Without it: live-test-<platform>.json in this folder. It is also in the output of --json.',
    }),
    keep: flag({ about: 'Do not delete the posts.' }),
    yes: flag({ about: 'Do not ask before publishing.' }),
  },
  run: (wanted) => liveTest({ ...readConfig(), logLevel: 'silent' }, wanted),
  present,
  isFailed: ({ results }) => results.some(isFailed),
})

type Wanted = {
  connection: string
  workspace: string | null
  only: string | null
  transcript: string | null
  keep: boolean
  yes: boolean
}
type Outcome = LiveTestResult & { file: string; fileProblem: string | null }

async function liveTest(config: Config, wanted: Wanted): Promise<Outcome> {
  const { ctx, close } = await openContext(config)
  try {
    const connection = await findOne(ctx, wanted)
    const { manifest } = connectorOf(ctx, connection.platform)
    const mark = `${new Date(ctx.nowMs()).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    const kinds = chooseKinds(listKinds(manifest, mark), wanted.only)
    await requireYes(describePlan(connection, manifest, { kinds, keeps: wanted.keep }), wanted.yes)
    const key = await openKey(ctx, connection.workspace_id)
    const app = createApp(ctx, { hooks: httpHooks(ctx), api: [postRoutes] })
    try {
      const headers = { authorization: `Bearer ${key.value}`, 'x-workspace-id': connection.workspace_id }
      const result = await runLiveTest({
        ctx,
        connection,
        manifest,
        kinds,
        keeps: wanted.keep,
        api: apiOf(app, headers),
        report: (line) => console.error(`  ${line}`),
      })
      return { ...result, ...(await writeTranscript(result, wanted.transcript)) }
    } finally {
      await key.revoke()
      await app.close()
    }
  } finally {
    await close()
  }
}

async function findOne(ctx: Context, { connection, workspace }: Wanted): Promise<ConnectionRow> {
  const found = await findNamedConnections(ctx.db.system, connection, workspace)
  const [one, another] = found
  if (!one) throw new StartError(`There is no connection "${connection}". The web app shows its name in Connections.`)
  if (another) {
    const workspaces = found.map(({ workspace_id }) => workspace_id).join(', ')
    throw new StartError(`Several workspaces have a connection "${connection}". Add --workspace with one of these: ${workspaces}`)
  }
  if (one.status === 'needs_reconnect')
    throw new StartError(`The account must be connected again first: ${one.status_reason ?? ''}`)
  return one
}

/** What is about to happen, with its price. */
function describePlan({ handle }: ConnectionRow, manifest: Manifest, plan: { kinds: readonly Kind[]; keeps: boolean }): string {
  const { name, prices, can } = manifest
  const posts = plan.kinds.reduce((sum, kind) => sum + kind.posts, 0)
  // Reading back, figures, alt text of two pictures and deleting.
  const otherCalls = plan.kinds.length * 4 + posts
  const stays = plan.keeps || !can.remove
  return [
    `This publishes ${posts} posts on ${handle} (${name}): ${plan.kinds.map((kind) => kind.name).join(', ')}. Others may see them.`,
    stays
      ? `They STAY on the account${plan.keeps ? '' : `, because ${name} does not let a program delete posts: delete them there by hand`}.`
      : 'They are deleted again within minutes.',
    prices
      ? `${name} bills the developer app for it: ${posts} × ${prices.post} USD for posts, and up to ${otherCalls} × ` +
        `${prices.otherCall} USD for other calls, together at most ` +
        `${(posts * prices.post + otherCalls * prices.otherCall).toFixed(2)} USD.`
      : `${name} does not bill it.`,
  ].join('\n')
}

async function requireYes(plan: string, isYes: boolean): Promise<void> {
  console.error(plan)
  if (isYes) return
  if (!process.stdin.isTTY) throw new StartError('Nothing was published. Add --yes if this is what you want.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Go on? [y/N] ')
  lines.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new StartError('Nothing was published.')
}

/** A key for this run, of the owner of the workspace: posts are made as everybody makes them, and the audit log shows who made them. */
async function openKey(ctx: Context, workspaceId: string): Promise<{ value: string; revoke(): Promise<void> }> {
  const owner = await findOwner(ctx.db.system, workspaceId)
  if (!owner) throw new StartError('The workspace has no owner.')
  const inScope = <T>(work: (scope: RequestScope) => Promise<T>) =>
    ctx.db.tenant(workspaceId, (tx) =>
      work({
        ctx,
        tx,
        principal: {
          personId: owner.personId,
          apiKeyId: null,
          keyWorkspaceId: null,
          limits: { scopes: null, workspaceOnly: false, expiresAt: null, posting: null, isAgent: false },
          workspaceId,
          role: 'owner',
          plan: owner.plan,
          approval: 'none',
        },
        nowMs: ctx.nowMs(),
        traceId: 'live-test',
        ifMatch: null,
        afterCommit: () => {},
      }),
    )
  const expiresAt = new Date(ctx.nowMs() + keyMs).toISOString()
  const { data } = await inScope((scope) => createApiKey(scope, { label: 'Live test', expiresAt, workspaceOnly: true }))
  return {
    value: data.key ?? '',
    revoke: async () => {
      await inScope((scope) => revokeApiKey(scope, data.id))
    },
  }
}

/** In case the command is killed before it revokes its key. */
const keyMs = 7_200_000

function apiOf(app: ReturnType<typeof createApp>, headers: Record<string, string>): CallApi {
  return async ({ method, path, body }) => {
    const encoded = new Response(body instanceof FormData ? body : JSON.stringify(body ?? null))
    const type = body instanceof FormData ? (encoded.headers.get('content-type') ?? '') : 'application/json'
    const sent = body && { payload: Buffer.from(await encoded.arrayBuffer()), headers: { ...headers, 'content-type': type } }
    const response = await app.inject({ method, url: `/api${path}`, headers, ...sent })
    return response.json()
  }
}

async function writeTranscript(
  { transcript }: LiveTestResult,
  wanted: string | null,
): Promise<Pick<Outcome, 'file' | 'fileProblem'>> {
  const file = wanted ?? `live-test-${transcript.platform}.json`
  try {
    await writeFile(file, formatTranscript(transcript))
    return { file, fileProblem: null }
  } catch (error) {
    return { file, fileProblem: error instanceof Error ? error.message : String(error) }
  }
}

/** One call on each line, so that a difference between two transcripts is short. */
function formatTranscript({ calls, ...head }: Transcript): string {
  const lines = calls.map((call) => `  ${JSON.stringify(call)}`)
  return `${JSON.stringify(head, null, 1).replace(/\n}$/, '')},\n "calls": [\n${lines.join(',\n')}\n ]\n}\n`
}

const steps = ['published', 'readBack', 'figures', 'deleted'] as const
const headings = ['kind', 'published', 'read back', 'figures', 'deleted', 'seconds']
const marks = { held: 'ok', failed: 'FAILED', skipped: '-' } as const

function isFailed(result: KindResult): boolean {
  return steps.some((step) => result[step].state === 'failed')
}

function present({ results, file, fileProblem }: Outcome): string {
  const rows = results.map((result) => [
    result.kind,
    ...steps.map((step) => marks[result[step].state]),
    result.seconds.toFixed(1).padStart(7),
  ])
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const table = [headings, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const words = results.flatMap((result) =>
    steps.flatMap((step, at) => {
      const { state, words: said } = result[step]
      return said === null ? [] : [`${state === 'failed' ? 'FAILED  ' : ''}${result.kind}, ${headings[at + 1]}: ${said}`]
    }),
  )
  const left = results.flatMap((result) => result.left.map((address) => `  ${result.kind}: ${address}`))
  const failures = results.filter(isFailed).length
  return [
    ...table,
    ...(words.length > 0 ? ['', ...words] : []),
    '',
    ...(left.length > 0
      ? ['These STAY on the account. Delete them there by hand:', ...left]
      : ['Nothing of the test stays on the account.']),
    fileProblem === null
      ? `The transcript is in ${file}. It has no secrets, ids, names, addresses or texts; docs/guides/live-test.md says how to send it in.`
      : `The transcript could not be written to ${file}: ${fileProblem}. Name another file with --transcript.`,
    failures === 0 ? `All ${results.length} kinds held.` : `${failures} of ${results.length} kinds did not hold.`,
  ].join('\n')
}
