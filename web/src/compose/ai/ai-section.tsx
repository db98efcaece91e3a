import { Sparkles } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { CountRow } from '../editor/count-row.tsx'
import type { Ai } from './use-ai.ts'

const AiPanel = lazy(async () => ({ default: (await import('./ai-panel.tsx')).AiPanel }))

/** Below the text: how much of it is left, and the way to suggestions of the language model. */
export function AiSection({ ai }: { ai: Ai }) {
  const { t } = useTranslation('compose')
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    ai.setIsOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <CountRow />
        <Button
          ref={button}
          id="compose-ai"
          size="sm"
          variant="quiet"
          className="-mr-2.5 ml-auto"
          icon={<Sparkles aria-hidden />}
          aria-expanded={ai.isOpen}
          onClick={() => ai.setIsOpen(!ai.isOpen)}
        >
          {t('ai.open')}
        </Button>
      </div>
      <Suspense>{ai.isOpen && <AiPanel ai={ai} onClose={close} />}</Suspense>
    </>
  )
}
