import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { useCompose } from '../compose-context.ts'
import { addHashtags } from './find-hashtags.ts'
import { useApplyText } from './use-apply-text.ts'
import { usePlatformsInScope } from './use-platforms-in-scope.ts'

type HashtagListProps = { suggested: readonly { platform: string; hashtags: readonly string[] }[] }

/** Hashtags to tick. Those that are chosen follow the text of the open tab. */
export function HashtagList({ suggested }: HashtagListProps) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const apply = useApplyText()
  const inScope = new Set(usePlatformsInScope().map(({ platform }) => platform as string))
  const tags = [...new Set(suggested.flatMap(({ platform, hashtags }) => (inScope.has(platform) ? hashtags : [])))]
  const [chosen, setChosen] = useState<readonly string[]>([])
  const add = () => {
    apply(state.tab === null ? null : [state.tab], (before) => addHashtags(before, chosen))
    setChosen([])
  }
  return (
    <fieldset className="flex flex-col gap-3 border-t border-line pt-4">
      <legend className="sr-only">{t('ai.hashtags')}</legend>
      <output className="sr-only">{t('ai.hashtagsReady', { count: tags.length })}</output>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {tags.map((tag) => (
          <Checkbox
            key={tag}
            label={tag}
            checked={chosen.includes(tag)}
            onChange={(checked) => setChosen(checked ? [...chosen, tag] : chosen.filter((other) => other !== tag))}
          />
        ))}
      </div>
      <Button size="sm" className="self-start" disabled={chosen.length === 0} onClick={add}>
        {t('ai.addHashtags', { count: chosen.length })}
      </Button>
    </fieldset>
  )
}
