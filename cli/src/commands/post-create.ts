import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Accepted, Post, PostType } from '@carillon/sdk'
import { CommandError, UsageError } from '../cli-error.ts'
import { isCarillonError } from '../describe-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { defineCommand, type Outcome, type ValuesOf } from '../line/command.ts'
import { flag, optionalText, texts } from '../line/option.ts'
import { findAccounts } from '../new-post/find-accounts.ts'
import { readFiles, type PostFile } from '../new-post/read-files.ts'
import { readSchedule } from '../new-post/read-schedule.ts'
import { readSettings } from '../new-post/read-settings.ts'
import { sendPost, type NewPost } from '../new-post/send-post.ts'
import { describePost, exitCodeOf } from '../output/describe-post.ts'
import { describeVerdict } from '../output/describe-verdict.ts'
import { openSession, sessionOptions, type Session } from '../profiles/open-session.ts'
import type { Terminal } from '../terminal.ts'
import { readWaitMs, waitForResult, waitOptions } from '../wait-for-result.ts'
import { withKey } from '../with-key.ts'

const options = {
  to: texts({ placeholder: 'ACCOUNT', about: 'An account by slug, name or id, or "all". Several with commas, or --to again.' }),
  'text-file': optionalText({ placeholder: 'FILE', about: 'Read the text from a file, or from standard input with "-".' }),
  media: texts({
    placeholder: 'FILE',
    about: 'A file, which is uploaded, or the id of one in the media library. For several, --media again.',
  }),
  alt: texts({ placeholder: 'TEXT', about: 'What people hear who cannot see the file before it.' }),
  at: optionalText({
    placeholder: 'TIME',
    about: 'When to publish: "2027-03-28 09:00", in --zone or in the zone of the workspace.',
  }),
  zone: optionalText({ placeholder: 'ZONE', about: 'The time zone of --at, such as Europe/Berlin.' }),
  in: optionalText({ placeholder: 'DURATION', about: 'When to publish, from now: 90m, 2h30m, 1d.' }),
  'next-free-slot': flag({ about: 'Publish in the next free slot of the oldest queue.' }),
  queue: optionalText({ placeholder: 'QUEUE', about: 'The same with another queue, by name or id.' }),
  draft: flag({ about: 'Save a draft, and publish nothing.' }),
  submit: flag({ about: 'Submit it for approval instead of publishing it.' }),
  title: optionalText({ placeholder: 'TEXT', about: 'A title, for platforms that have one.' }),
  link: optionalText({ placeholder: 'URL', about: 'A link to attach.' }),
  'first-comment': optionalText({ placeholder: 'TEXT', about: 'A comment that is added below the post.' }),
  thread: texts({ placeholder: 'TEXT', about: 'A further post that follows as a thread. For several, --thread again.' }),
  format: optionalText({ placeholder: 'FORMAT', about: 'For example story; otherwise chosen by the files.' }),
  'ai-generated': flag({ about: 'Label it as made with AI.' }),
  option: texts({
    placeholder: 'PLATFORM.KEY=VALUE',
    about: 'A setting of a platform, or with a slug of one account: tower-news.visibility=unlisted.',
  }),
  'dry-run': flag({
    about: 'Only check it against the rules of every account. Files are uploaded, because they are checked too.',
  }),
  'idempotency-key': optionalText({
    placeholder: 'KEY',
    about: 'The key of an earlier call, to repeat that same call, or one of your own.',
  }),
  ...waitOptions,
  ...sessionOptions,
}
type Values = ValuesOf<typeof options>

export const postCreate = defineCommand({
  details:
    'Publishes a post at once, or at a time, or saves a draft. Each call has an idempotency key, which is printed before anything is sent: if the ' +
    'answer is lost, the same command with this key makes no second post.',
  examples: [
    'carillon post create "The bells ring at noon" --to all --wait',
    'carillon post create "Noon" --to tower-news,tower-blog --media tower.jpg --alt "The tower" --at "2027-03-28 09:00" --zone Europe/Berlin',
    'carillon post create --text-file post.txt --to tower-news --option tower-news.visibility=unlisted --dry-run',
  ],
  words: { placeholder: '[TEXT]', about: 'The text of the post; "-" reads it from standard input.', min: 0, max: 1 },
  options,
  async run(values, [word], { terminal }) {
    const waitMs = readWaitMs(values)
    if (waitMs !== null && (values.draft || values.submit))
      throw new UsageError('--wait makes no sense: nothing is published yet.')
    if (values.draft && values.submit) throw new UsageError('Give one of --draft and --submit.')
    const text = await readText(word ?? null, values['text-file'], terminal)
    const session = await openSession(values, terminal.env)
    const post = await buildPost(values, text, session, terminal)
    if (values['dry-run']) return check(post, session, terminal)
    const idempotencyKey = values['idempotency-key'] ?? `cli-${randomUUID()}`
    // With --in, the time of a repeated command would be another one, and the repeat would be refused.
    const sameTime = values.in === null ? '' : ` and, instead of --in, --at ${post.scheduledAt}`
    const accepted = await withKey(
      idempotencyKey,
      terminal,
      () => sendPost(session.carillon.content, post, idempotencyKey),
      sameTime,
    )
    const created = await loadCreated(accepted, waitMs, session)
    const link = 'approvalLink' in accepted ? accepted.approvalLink : undefined
    const state =
      'channels' in created
        ? describePost(created, terminal)
        : `Accepted: ${idOf(accepted)}. Its state cannot be read at the moment.`
    return {
      data: { ...created, ...(link && { approvalLink: link }), idempotencyKey },
      text: link ? `${state}\nA person who signs in approves it at ${link.url}` : state,
      ...(waitMs !== null && 'channels' in created && { code: exitCodeOf(created) }),
    }
  },
})

async function readText(word: string | null, file: string | null, terminal: Terminal): Promise<string | null> {
  if (word !== null && file !== null) throw new UsageError('Give the text as a word or with --text-file, not both.')
  const source = word === '-' ? '-' : file
  if (source === null) return word
  if (source === '-') return (await terminal.readInput()).trimEnd()
  try {
    return (await readFile(source, 'utf8')).trimEnd()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`The file ${source} cannot be read: ${reason}`, {
      code: 'file_unreadable',
      exitCode: exitCodes.usage,
      cause,
    })
  }
}

/** The request. The same command always gives the same one, because its repeat must be recognised. */
async function buildPost(values: Values, text: string | null, session: Session, terminal: Terminal): Promise<NewPost> {
  const { carillon, workspaceId } = session
  if (values.to.length === 0 && !values.draft) throw new UsageError('To which accounts? Give --to ACCOUNT, or --to all.')
  const names = values.to.map((each) => each.text)
  const accounts = names.length === 0 ? [] : await findAccounts(names, carillon.workspaces, workspaceId)
  const settings = readSettings(
    values.option.map((each) => each.text),
    accounts,
  )
  const schedule = await readSchedule(values, carillon, workspaceId)
  const files = await readFiles(values, carillon.media, terminal)
  const { title, link, 'first-comment': firstComment, thread, format } = values
  return {
    type: typeOf(files),
    connections: accounts.map(({ slug }) => slug),
    ...(text !== null && { text }),
    ...schedule,
    ...(title !== null && { title }),
    ...(link !== null && { linkUrl: link }),
    ...(firstComment !== null && { firstComment }),
    ...(thread.length > 0 && { thread: thread.map((each) => ({ text: each.text })) }),
    // The API knows the formats, and names them if it is none of them.
    ...(format !== null && { contentFormat: format as NonNullable<NewPost['contentFormat']> }),
    ...(values['ai-generated'] && { aiGenerated: true }),
    ...(Object.keys(settings).length > 0 && { platformOptions: settings }),
    ...(files.length > 0 && { medias: files.map(({ media }) => media.id) }),
    ...(files.some(({ alt }) => alt !== null) && { mediaOptions: files.map(({ alt }) => (alt === null ? {} : { alt })) }),
    ...(values.draft && { saveDraft: true }),
    ...(values.submit && { submit: true }),
  }
}

function typeOf(files: readonly PostFile[]): PostType {
  const types = files.map(({ media }) => media.type)
  const [first] = types
  if (first === undefined) return 'text'
  if (types.length === 1 && first !== 'image') return first
  if (types.includes('document'))
    throw new UsageError('A document is published alone. Leave the other files away, or the document.')
  return 'photo'
}

async function check(post: NewPost, { carillon }: Session, terminal: Terminal): Promise<Outcome> {
  const verdict = await carillon.content.validate(post)
  return {
    data: verdict,
    text: describeVerdict(verdict, terminal),
    code: verdict.valid ? exitCodes.ok : exitCodes.refused,
  }
}

function idOf(accepted: Accepted): string {
  if ('draftId' in accepted) return accepted.draftId
  return 'uploadId' in accepted ? accepted.uploadId : accepted.requestId
}

/** The post as it is now. It is accepted whether it can be read now or not. */
async function loadCreated(
  accepted: Accepted,
  waitMs: number | null,
  { carillon: { content } }: Session,
): Promise<Post | Accepted> {
  if (waitMs !== null) return waitForResult(content, idOf(accepted), waitMs)
  return content.get(idOf(accepted)).catch((error: unknown) => {
    if (isCarillonError(error)) return accepted
    throw error
  })
}
