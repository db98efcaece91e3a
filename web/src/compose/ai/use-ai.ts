import type { CaptionWish, HashtagWish, Tone } from '@carillon/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { carillon } from '../../api/client.ts'

type AiChoices = { tone: Tone | 'any'; topic: string; isAdded: boolean }

/** What the language model suggested last. It belongs to the composer, so that changing the tab does not lose it. */
export function useAi(workspaceId: string) {
  const [isOpen, setIsOpen] = useState(false)
  const [choices, setChoices] = useState<AiChoices>({ tone: 'any', topic: '', isAdded: false })
  const captions = useMutation({
    mutationFn: async (wish: CaptionWish) => (await carillon.ai.generateContent(wish, { workspaceId })).content,
  })
  const hashtags = useMutation({ mutationFn: (wish: HashtagWish) => carillon.ai.suggestHashtags(wish, { workspaceId }) })
  return {
    isOpen,
    setIsOpen,
    choices,
    change: (change: Partial<AiChoices>) => setChoices((before) => ({ ...before, ...change })),
    captions,
    hashtags,
  }
}

export type Ai = ReturnType<typeof useAi>
