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
  const all = withoutRepeats([...own, ...fromServer, ...refused])
  return {
    shown: all.filter((finding) => hasTried || !isMissing(finding)),
    blocking: all.filter(({ isBlocking }) => isBlocking),
    isReady: own.every(({ isBlocking }) => !isBlocking),
  }

  function isOfChosen({ slug }: Finding): boolean {
    return slug === null || state.accounts.includes(slug)
  }
}

function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const known = new Map(findings.toReversed().map((finding) => [`${finding.slug} ${finding.path} ${finding.code}`, finding]))
  return [...known.values()].toReversed()
}
