import { isTimezone } from '@carillon/core'
import type { ConnectionOptions, Post, PostChange } from '@carillon/sdk'
import { postType, toThread } from './channel-draft.ts'
import { filesOf, hasOwnFiles, type ComposeState, type OwnFields, type PostFile, type TextFieldName } from './compose-state.ts'

/** Whether the server accepts it as a link. While somebody is still typing it, the draft is saved without it. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/.]+\.[^\s]+$|^https?:\/\/localhost\S*$/i.test(value) && URL.canParse(value)
}

/** The whole draft as the server stores it. `canSchedule` is false while its time is in the past or incomplete. */
export function toPostChange(state: ComposeState, { canSchedule }: { canSchedule: boolean }) {
  const { common, accounts, own, thread = [], when } = state
  const files = uploaded(state.files)
  return {
    type: postType(files),
    connections: [...accounts],
    text: common.text,
    title: common.title || null,
    firstComment: common.firstComment === '' ? null : { text: common.firstComment },
    thread: toThread(thread),
    linkUrl: isWebAddress(common.linkUrl) ? common.linkUrl : null,
    aiGenerated: state.aiGenerated ?? false,
    ...(state.labels && { labels: [...state.labels] }),
    scheduledAt: when.isLater && canSchedule ? when.wall : null,
    // While somebody is still typing it, the draft keeps the zone it had.
    ...(isTimezone(when.zone) && { timezone: when.zone }),
    platformOptions: Object.fromEntries(
      accounts.flatMap((slug) => {
        const options = { ...toOptions(own[slug]), ...(files.length > 0 && toOwnFiles(state, slug)) }
        return Object.keys(options).length > 0 ? [[slug, options]] : []
      }),
    ),
    ...toMedias(files),
  } satisfies PostChange
}

function uploaded(files: readonly PostFile[]): readonly PostFile[] {
  return files.filter(({ mediaId }) => mediaId !== null)
}

function toMedias(files: readonly PostFile[]) {
  return { medias: files.flatMap(({ mediaId }) => mediaId ?? []), mediaOptions: files.map(({ alt }) => ({ alt })) }
}

/** Until one of its own files is uploaded, an account has the common ones. */
function toOwnFiles(state: ComposeState, slug: string): ConnectionOptions {
  const files = hasOwnFiles(state, slug) ? uploaded(filesOf(state, slug)) : []
  return files.length > 0 ? toMedias(files) : {}
}

function toOptions(own: OwnFields | undefined): ConnectionOptions {
  if (!own) return {}
  const { text, title, firstComment, thread, linkUrl, contentFormat, settings } = own
  return {
    ...settings,
    // Null leaves the common field out for this account.
    ...(text !== undefined && { text: text || null }),
    ...(title !== undefined && { title: title || null }),
    ...(firstComment !== undefined && { firstComment: firstComment === '' ? null : { text: firstComment } }),
    ...(thread !== undefined && { thread: toThread(thread) }),
    ...(linkUrl !== undefined && (linkUrl === '' || isWebAddress(linkUrl)) && { linkUrl: linkUrl || null }),
    ...(contentFormat !== undefined && { contentFormat }),
  }
}

/** A draft of the server as the composer shows it. `wallTime` writes an instant as wall-clock time in a zone. */
export function fromPost(
  post: Post,
  { zone, wallTime }: { zone: string; wallTime: (zone: string, at: string) => string },
): ComposeState {
  const timezone = post.timezone ?? zone
  const files = post.medias.map((media) => fromMedia(media, post.type))
  return {
    common: {
      text: post.text ?? '',
      title: post.title ?? '',
      firstComment: post.firstComment?.text ?? '',
      linkUrl: post.linkUrl ?? '',
    },
    // A canceled channel's account was disconnected, and is not one to choose.
    accounts: post.channels.filter(({ result }) => result.status !== 'canceled').map(({ connection }) => connection),
    own: Object.fromEntries(Object.entries(post.platformOptions).map(([slug, options]) => [slug, fromOptions(options, files)])),
    files,
    ...(post.thread && { thread: post.thread.map(({ text }) => text) }),
    ...(post.aiGenerated && { aiGenerated: true }),
    ...(post.labels && { labels: post.labels }),
    when: {
      isLater: post.scheduledAt !== null,
      wall: post.scheduledAt === null ? '' : wallTime(timezone, post.scheduledAt),
      zone: timezone,
    },
    tab: null,
    revision: 0,
  }
}

/** Whether a draft of the server is what this change made of it. */
export function isSameContent(post: Post, change: PostChange): boolean {
  const { text, title, linkUrl, firstComment } = change
  const sent = [
    text ?? '',
    title ?? '',
    linkUrl ?? '',
    firstComment ?? '',
    change.thread ?? [],
    change.aiGenerated ?? false,
    (change.labels ?? post.labels ?? []).toSorted(),
    change.connections,
    change.medias,
    change.platformOptions,
  ]
  const stored = [
    post.text ?? '',
    post.title ?? '',
    post.linkUrl ?? '',
    post.firstComment ?? '',
    post.thread ?? [],
    post.aiGenerated ?? false,
    (post.labels ?? []).toSorted(),
    post.channels.map(({ connection }) => connection),
    post.medias.map(({ id, url }) => id ?? url),
    post.platformOptions,
  ]
  return inOrder(sent) === inOrder(stored)
}

/** As JSON with sorted keys: the database does not keep their order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a.localeCompare(b)))
      : part,
  )
}

function fromOptions(options: ConnectionOptions, common: readonly PostFile[]): OwnFields {
  const { text, title, firstComment, thread, linkUrl, contentFormat, medias, mediaOptions, ...others } = options
  // What the server split is this account's own text once somebody edits it here.
  const { splitLongText: _split, ...settings } = others
  const comment = typeof firstComment === 'object' && firstComment !== null ? firstComment.text : firstComment
  const given: Partial<Record<TextFieldName, string | null | undefined>> = { text, title, firstComment: comment, linkUrl }
  const texts = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? '']]))
  return {
    ...Object.fromEntries(texts),
    ...(contentFormat !== undefined && { contentFormat }),
    ...(thread !== undefined && { thread: (thread ?? []).map((part) => part.text) }),
    ...((medias ?? mediaOptions) && { files: ownFiles(medias ?? null, mediaOptions ?? [], common) }),
    settings,
  }
}

/** A post names the own files of an account by their ids alone; the library completes them after loading. */
function ownFiles(medias: readonly string[] | null, options: readonly { alt?: string }[], common: readonly PostFile[]) {
  // Without files of its own, the account has the common ones with other alt texts.
  const files = medias?.map((id, index): PostFile => {
    const kind = common[0]?.kind ?? 'image'
    const unknown = { ...unknownFile, name: id, kind, hasPicture: kind !== 'document' }
    const known = common.find(({ mediaId }) => mediaId === id) ?? unknown
    return { ...known, key: `${id} ${index}`, mediaId: id }
  })
  return (files ?? common).map((file, index) => ({ ...file, alt: options[index]?.alt ?? file.alt }))
}

const kindByType = { text: 'image', photo: 'image', video: 'video', document: 'document' } as const

/** A post does not tell the size of its files; the library does, and completes them after loading. */
function fromMedia(
  { id, name, type, mimeType, url, thumbnailUrl, pages, alt }: Post['medias'][number],
  typeOfPost: Post['type'],
): PostFile {
  return {
    ...unknownFile,
    key: id ?? url,
    // A file that is not fetched yet is known by its address.
    mediaId: id ?? url,
    name: name ?? url,
    kind: type ?? kindByType[typeOfPost],
    mimeType: mimeType ?? '',
    hasPicture: thumbnailUrl !== null,
    pages,
    alt,
  }
}

const unknownFile = {
  mimeType: '',
  sizeBytes: 0,
  width: null,
  height: null,
  durationSeconds: null,
  pages: null,
  hasPicture: false,
  alt: '',
  progress: 1,
  problem: null,
}
