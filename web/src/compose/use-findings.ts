import { CarillonError } from '@carillon/sdk'
import type { SaveView } from './saving/draft-saver.ts'
import type { ComposeState } from './state/compose-state.ts'
import { checkPost, isMissing, onlyFromServer, readDetails, type Account, type Finding } from './state/findings.ts'

type FindingSource = { state: ComposeState; accounts: readonly Account[]; saving: SaveView; hasTried: boolean; refusal: unknown }

type Findings = {
  /** What may be said now. */
  shown: Finding[]
  /** What is in the way of publishing. */
  blocking: Finding[]
  /** Whether the server can be asked: nothing is wrong that this page can tell by itself. */
  isReady: boolean
}

/** Everything that is known to be wrong: found here at every key, and by the server at every save. */
export function useFindings({ state, accounts, saving, hasTried, refusal }: FindingSource): Findings {
  const { post } = saving
  const checked = post?.channels.map(({ connection }) => connection) ?? []
  const fromServer = onlyFromServer(readDetails(post?.issues ?? [], checked)).filter(isOfChosen)
  const refused = [refusal, saving.status === 'refused' ? saving.error : null].flatMap((error) =>
    error instanceof CarillonError ? readDetails(error.details, state.accounts) : [],
  )
  const own = checkPost(state, accounts, Date.now())
  const all = withoutRepeats([...own, ...[...fromServer, ...refused].filter((finding) => !isKnownHere(finding, own))])
  return {
    shown: all.filter((finding) => hasTried || !isMissing(finding)),
    blocking: all.filter(({ isBlocking }) => isBlocking),
    isReady: own.every(({ isBlocking }) => !isBlocking),
  }

  function isOfChosen({ slug }: Finding): boolean {
    return slug === null || state.accounts.includes(slug)
  }
}

/** The server says in one sentence that a file cannot be used; this page may know the reason already. */
function isKnownHere({ code, slug, path }: Finding, own: readonly Finding[]): boolean {
  return code === 'media_unusable' && own.some((other) => other.isBlocking && other.slug === slug && other.path === path)
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const known = new Map(
    findings.toReversed().map((finding) => [`${finding.slug} ${finding.path} ${finding.code} ${finding.message}`, finding]),
  )
  return [...known.values()].toReversed()
}
