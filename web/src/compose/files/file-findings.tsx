import { PlatformMark } from '../../connections/platform-mark.tsx'
import { useCompose } from '../compose-context.ts'
import { useDescribeFinding, useFindingsAt } from '../editor/use-describe-finding.ts'
import type { PostFile } from '../state/compose-state.ts'
import type { Finding } from '../state/findings.ts'

/** What each chosen platform does to a file: refuses or changes it. The platforms that do the same share a line. */
export function FileFindings({ file, index }: { file: PostFile; index: number }) {
  const { accounts } = useCompose()
  const describe = useDescribeFinding()
  const found = useFindingsAt(`medias[${index}]`)
  const bySentence = Map.groupBy(found, (finding) => describe(finding))
  const platformsOf = (findings: readonly Finding[]) => {
    const platforms = findings.flatMap(({ slug }) => accounts.find((account) => account.slug === slug)?.platform ?? [])
    return [...new Map(platforms.map((platform) => [platform.platform, platform])).values()]
  }
  if (file.mediaId === null) return null
  return (
    <ul className="flex flex-col gap-1 empty:hidden">
      {[...bySentence].map(([sentence, findings]) => (
        <li
          key={sentence}
          className={`flex items-start gap-1.5 text-sm ${findings.some(({ isBlocking }) => isBlocking) ? 'font-medium text-rust' : 'text-quiet'}`}
        >
          {platformsOf(findings).map(({ platform }) => (
            <PlatformMark key={platform} platform={platform} className="mt-0.5 size-4" />
          ))}
          <span className="min-w-0">{sentence}</span>
        </li>
      ))}
    </ul>
  )
}
