import { Check, Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { useCopy } from './use-copy.ts'

type CopyTextProps = {
  /** The name of the text, for screen readers. */
  label: string
  text: string
  copyLabel: string
  copiedLabel: string
}

/** A text that must be exact, such as an address or a key, with a button that copies it. */
export function CopyText({ label, text, copyLabel, copiedLabel }: CopyTextProps) {
  const [isCopied, copy] = useCopy(text)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 basis-60 rounded-control bg-sunken px-2.5 py-1.5 font-mono text-sm wrap-anywhere text-ink select-all">
        {text}
      </code>
      <Button size="sm" icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} onClick={copy}>
        {isCopied ? copiedLabel : copyLabel}
        <span className="sr-only">: {label}</span>
      </Button>
    </div>
  )
}
