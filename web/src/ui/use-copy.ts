import { useState } from 'react'
import { copyToClipboard } from './copy-to-clipboard.ts'

/** Whether the text was copied, and a function that copies it. For the button beside the text, which says so afterwards. */
export function useCopy(text: string): [isCopied: boolean, copy: () => void] {
  const [copied, setCopied] = useState<string | null>(null)
  const copy = () => void copyToClipboard(text).then((isCopied) => setCopied(isCopied ? text : null))
  return [copied === text, copy]
}
