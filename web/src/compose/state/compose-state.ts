import type { ContentFormat, MediaType } from '@carillon/sdk'

/** A file of the post. It has no `mediaId` until it is uploaded. */
export type PostFile = {
  key: string
  mediaId: string | null
  name: string
  kind: MediaType
  mimeType: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationSeconds: number | null
  pages: number | null
  /** Whether the server has a small picture of it. A document may have none. */
  hasPicture: boolean
  alt: string
  /** How much of it is uploaded, from 0 to 1. */
  progress: number
  /** Why uploading it failed. */
  problem: string | null
}

/** The fields that every account shares, unless it has its own. Empty means that the post has none. */
type TextFields = { text: string; title: string; firstComment: string; linkUrl: string }
export type TextFieldName = keyof TextFields

/** What is different for one account. An absent field is the common one. */
export type OwnFields = Partial<TextFields> & {
  /** The further posts of a thread; none if the account gets the first post only. */
  thread?: readonly string[]
  contentFormat?: ContentFormat
  /** Files that replace the common ones. They are ignored while the post has no common files: a post has files everywhere or nowhere. */
  files?: readonly PostFile[]
  /** Settings that only its platform has, and other options that this page does not edit but must keep. */
  settings: Readonly<Record<string, unknown>>
}

/** `wall` is a wall-clock time such as `2027-03-28T09:00`. The server computes the instant. */
export type When = { isLater: boolean; wall: string; zone: string }

/** Everything that a person writes in the composer. It is plain data: it is also the local copy. */
export type ComposeState = {
  common: TextFields
  /** The slugs of the chosen accounts, in the order in which they were chosen. */
  accounts: readonly string[]
  own: Readonly<Record<string, OwnFields>>
  files: readonly PostFile[]
  /** The further posts of a thread. A copy that an older version stored has none. */
  thread?: readonly string[]
  /** Whether the post was made with AI. A copy that an older version stored does not say. */
  aiGenerated?: boolean
  /** The ids of its labels. A copy that an older version stored does not say. */
  labels?: readonly string[]
  when: When
  /** The account whose fields are shown; null for what all share. */
  tab: string | null
  /** Increases with every change that must be saved. */
  revision: number
}

export function emptyState({
  zone,
  wall,
  accounts,
}: {
  zone: string
  wall: string | null
  accounts: readonly string[]
}): ComposeState {
  return {
    common: { text: '', title: '', firstComment: '', linkUrl: '' },
    accounts,
    own: {},
    files: [],
    when: { isLater: wall !== null, wall: wall ?? '', zone },
    tab: null,
    revision: 0,
  }
}

/** The files that an account shows: its own, or the common ones. `slug` is null for the common ones. */
export function filesOf({ files, own }: Pick<ComposeState, 'files' | 'own'>, slug: string | null): readonly PostFile[] {
  return hasOwnFiles({ files, own }, slug) ? (own[slug ?? '']?.files ?? files) : files
}

export function hasOwnFiles({ files, own }: Pick<ComposeState, 'files' | 'own'>, slug: string | null): boolean {
  return slug !== null && files.length > 0 && own[slug]?.files !== undefined
}

/** The files of the whole post, each once. */
export function allFiles(state: Pick<ComposeState, 'files' | 'own' | 'accounts'>): PostFile[] {
  const files = [null, ...state.accounts].flatMap((slug) => filesOf(state, slug))
  return [...new Map(files.map((file) => [file.key, file])).values()]
}

/** The further posts of the thread that an account gets. `slug` is null for the common ones. */
export function threadOf({ thread = [], own }: Pick<ComposeState, 'thread' | 'own'>, slug: string | null): readonly string[] {
  return (slug === null ? undefined : own[slug]?.thread) ?? thread
}

/** Whether there is anything that would be missed if it were lost. */
export function hasContent({ common, own, files, thread = [] }: ComposeState): boolean {
  return (
    Object.values(common).some((value) => value.trim() !== '') ||
    files.length > 0 ||
    thread.some((text) => text.trim() !== '') ||
    Object.values(own).some(
      ({ text, title, firstComment, linkUrl, thread: ownThread }) =>
        text || title || firstComment || linkUrl || ownThread?.length,
    )
  )
}
