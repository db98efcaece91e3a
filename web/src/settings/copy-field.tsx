import { Check, Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/form/input.tsx'
import { useCopy } from '../ui/use-copy.ts'

/** A text to take elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('settings')
  const [isCopied, copy] = useCopy(value)
  return (
    <Field label={label}>
      <div className="flex gap-2">
        <Input readOnly value={value} className="font-mono" onFocus={({ currentTarget }) => currentTarget.select()} />
        <Button icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onClick={copy}>
          {isCopied ? t('copied') : t('copy')}
        </Button>
      </div>
    </Field>
  )
}
