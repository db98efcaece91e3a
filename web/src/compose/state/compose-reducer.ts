import type { ContentFormat } from '@carillon/sdk'
import { filesOf, type ComposeState, type OwnFields, type PostFile, type TextFieldName, type When } from './compose-state.ts'

/** The texts of a post: the common one, and those of the accounts that have their own. */
type Texts = { common: string; own: Readonly<Record<string, string>> }

/** What an account can have for itself, beside the settings of its platform. */
type OwnFieldName = TextFieldName | 'contentFormat' | 'files' | 'thread'

export type ComposeAction =
  | { type: 'write'; field: TextFieldName; value: string }
  | { type: 'writeFor'; slugs: readonly string[] | null; value: string }
  | { type: 'writeThread'; thread: readonly string[] }
  | { type: 'labelAi'; isAi: boolean }
  | { type: 'chooseLabels'; labels: readonly string[] }
  | { type: 'leaveThreadOut'; slugs: readonly string[] }
  | { type: 'restoreTexts'; texts: Texts }
  | { type: 'revert'; field: OwnFieldName | 'all' }
  | { type: 'toggleAccount'; slug: string }
  | { type: 'showTab'; tab: string | null }
  | { type: 'chooseFormat'; slug: string; format: ContentFormat | null }
  | { type: 'changeSetting'; slug: string; name: string; value: unknown }
  | { type: 'addFiles'; files: readonly PostFile[] }
  | { type: 'changeFile'; key: string; change: Partial<Omit<PostFile, 'key'>> }
  | { type: 'writeAlt'; key: string; alt: string }
  | { type: 'replaceFile'; key: string; file: PostFile }
  | { type: 'removeFile'; key: string }
  | { type: 'moveFile'; key: string; by: number }
  | { type: 'changeTime'; change: Partial<When> }
  | { type: 'replace'; state: ComposeState }

/** Changes that concern only this browser. They are not saved on the server. */
const localActions: ReadonlySet<ComposeAction['type']> = new Set(['showTab', 'replace'])

export function composeReducer(state: ComposeState, action: ComposeAction): ComposeState {
  const next = reduce(state, action)
  if (next === state || localActions.has(action.type) || isProgress(action)) return next
  return { ...next, revision: state.revision + 1 }
}

function reduce(state: ComposeState, action: ComposeAction): ComposeState {
  switch (action.type) {
    case 'write':
      return write(state, state.tab, { [action.field]: action.value })
    case 'writeFor':
      return action.slugs === null
        ? write(state, null, { text: action.value })
        : action.slugs.reduce((before, slug) => write(before, slug, { text: action.value }), state)
    case 'writeThread':
      return writeThread(state, action.thread)
    case 'labelAi':
      return { ...state, aiGenerated: action.isAi }
    case 'chooseLabels':
      return { ...state, labels: action.labels }
    case 'leaveThreadOut':
      return action.slugs.reduce((before, slug) => changeOwn(before, slug, (own) => ({ ...own, thread: [] })), state)
    case 'restoreTexts':
      return restoreTexts(state, action.texts)
    case 'revert':
      return revert(state, action.field)
    case 'toggleAccount':
      return toggleAccount(state, action.slug)
    case 'showTab':
      return action.tab !== null && !state.accounts.includes(action.tab) ? state : { ...state, tab: action.tab }
    case 'chooseFormat':
      return changeOwn(state, action.slug, ({ contentFormat: _before, ...rest }) =>
        action.format === null ? rest : { ...rest, contentFormat: action.format },
      )
    case 'changeSetting':
      return changeOwn(state, action.slug, (own) => ({ ...own, settings: withSetting(own.settings, action.name, action.value) }))
    case 'changeTime':
      return { ...state, when: { ...state.when, ...action.change } }
    case 'replace':
      return action.state
    default:
      return reduceFiles(state, action)
  }
}

type FileAction = Extract<
  ComposeAction,
  { type: 'addFiles' | 'changeFile' | 'writeAlt' | 'replaceFile' | 'removeFile' | 'moveFile' }
>

function reduceFiles(state: ComposeState, action: FileAction): ComposeState {
  switch (action.type) {
    case 'addFiles':
      return changeFiles(state, (files) => [...files, ...action.files])
    case 'changeFile':
      return changeEverywhere(state, action.key, action.change)
    case 'writeAlt':
      return changeFiles(state, (files) => files.map((file) => (file.key === action.key ? { ...file, alt: action.alt } : file)))
    case 'replaceFile':
      // The person may have opened another tab before taking it back.
      return filesOf(state, state.tab).some(({ key }) => key === action.key)
        ? changeFiles(state, (files) => files.map((file) => (file.key === action.key ? action.file : file)))
        : changeEverywhere(state, action.key, action.file)
    case 'removeFile':
      return changeFiles(state, (files) => files.filter(({ key }) => key !== action.key))
    case 'moveFile':
      return changeFiles(state, (files) => moved(files, action.key, action.by))
  }
}

/** In an account's tab the files become the account's own. Its first ones are common: a post has files everywhere or nowhere. */
function changeFiles(state: ComposeState, change: (files: readonly PostFile[]) => readonly PostFile[]): ComposeState {
  const { tab, files } = state
  if (tab === null || files.length === 0) return { ...state, files: change(files) }
  const next = change(filesOf(state, tab))
  return next.length === 0 ? state : changeOwn(state, tab, (own) => ({ ...own, files: next }))
}

/** An upload is the same file in every list that has it. */
function changeEverywhere(state: ComposeState, key: string, change: Partial<PostFile>): ComposeState {
  const changed = (files: readonly PostFile[]) => files.map((file) => (file.key === key ? { ...file, ...change } : file))
  const own = Object.entries(state.own).map(([slug, fields]) => [
    slug,
    fields.files ? { ...fields, files: changed(fields.files) } : fields,
  ])
  return { ...state, files: changed(state.files), own: Object.fromEntries(own) }
}

/** For an account a text becomes its own; the same text as the common one does not. `slug` is null for the common text. */
function write(state: ComposeState, slug: string | null, fields: Partial<Record<TextFieldName, string>>): ComposeState {
  const { common } = state
  if (slug === null) return { ...state, common: { ...common, ...fields } }
  const names = Object.keys(fields) as TextFieldName[]
  return changeOwn(state, slug, (own) => {
    const differing = names.flatMap((name) => (fields[name] === common[name] ? [] : [[name, fields[name]]]))
    return { ...names.reduce(without, own), ...Object.fromEntries(differing) }
  })
}

/** In an account's tab the thread becomes the account's own. */
function writeThread(state: ComposeState, thread: readonly string[]): ComposeState {
  return state.tab === null ? { ...state, thread } : changeOwn(state, state.tab, (own) => ({ ...own, thread }))
}

export function textsOf({ common, own }: ComposeState): Texts {
  const texts = Object.entries(own).flatMap(([slug, { text }]) => (text === undefined ? [] : [[slug, text]]))
  return { common: common.text, own: Object.fromEntries(texts) }
}

function restoreTexts(state: ComposeState, { common, own }: Texts): ComposeState {
  const restored = Object.entries(state.own).map(([slug, fields]) => {
    const text = own[slug]
    return [slug, { ...without(fields, 'text'), ...(text !== undefined && { text }) }]
  })
  return { ...state, common: { ...state.common, text: common }, own: Object.fromEntries(restored) }
}

function revert(state: ComposeState, field: OwnFieldName | 'all'): ComposeState {
  const { tab } = state
  if (tab === null) return state
  return changeOwn(state, tab, (own) => (field === 'all' ? { settings: own.settings } : without(own, field)))
}

function toggleAccount(state: ComposeState, slug: string): ComposeState {
  const { accounts, tab } = state
  // What was written for an account stays in `own`: choosing it again brings it back.
  if (!accounts.includes(slug)) return { ...state, accounts: [...accounts, slug] }
  return { ...state, accounts: accounts.filter((other) => other !== slug), tab: tab === slug ? null : tab }
}

function changeOwn(state: ComposeState, slug: string, change: (own: OwnFields) => OwnFields): ComposeState {
  return { ...state, own: { ...state.own, [slug]: change(state.own[slug] ?? { settings: {} }) } }
}

function without(own: OwnFields, field: OwnFieldName): OwnFields {
  const { [field]: _reverted, ...rest } = own
  return rest
}

function withSetting(settings: Readonly<Record<string, unknown>>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _before, ...rest } = settings
  return value === undefined ? rest : { ...rest, [name]: value }
}

function moved(files: readonly PostFile[], key: string, by: number): readonly PostFile[] {
  const from = files.findIndex((file) => file.key === key)
  const to = from + by
  const file = files[from]
  if (!file || by === 0 || to < 0 || to >= files.length) return files
  return files.filter((other) => other !== file).toSpliced(to, 0, file)
}

/** The progress of an upload is shown, but is nothing to save until the file has an id. */
function isProgress(action: ComposeAction): boolean {
  return action.type === 'changeFile' && action.change.mediaId === undefined
}

/** The fields of an account that differ from the common ones. */
export function ownFieldNames(own: OwnFields | undefined): OwnFieldName[] {
  if (!own) return []
  const names = ['text', 'title', 'firstComment', 'linkUrl', 'contentFormat', 'files', 'thread'] as const
  return names.filter((name) => own[name] !== undefined)
}
