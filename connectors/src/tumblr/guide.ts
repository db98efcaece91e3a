import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Works at once and for everybody: Tumblr reviews nothing. All accounts of your installation share the calls of your app.',
    de: 'Geht sofort und für alle: Tumblr prüft nichts. Alle Konten deiner Installation teilen sich die Aufrufe deiner App.',
  },
  facts: {
    who: {
      en: 'Everybody with a blog, or who may post on one',
      de: 'Alle, die einen Blog haben oder auf einem schreiben dürfen',
    },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person removes the app. Carillon renews a permission that would end after 42 days.',
      de: 'Die Person entfernt die App. Eine Berechtigung, die nach 42 Tagen enden würde, erneuert Carillon.',
    },
  },
  app: {
    id: {
      name: 'OAuth Consumer Key',
      mistakes: [
        {
          pattern: /[^A-Za-z0-9]/,
          words: {
            en: 'A consumer key has letters and digits only. Copy it again from the list of applications.',
            de: 'Ein Consumer Key besteht nur aus Buchstaben und Ziffern. Kopiere ihn noch einmal aus der Liste der Anwendungen.',
          },
        },
      ],
    },
    secret: {
      name: 'Secret Key',
      mistakes: [
        {
          pattern: /[^A-Za-z0-9]/,
          words: {
            en: 'A secret key has letters and digits only. Choose *Show secret key* and copy it.',
            de: 'Ein Secret Key besteht nur aus Buchstaben und Ziffern. Wähle *Show secret key* und kopiere ihn.',
          },
        },
      ],
    },
  },
  steps: [
    {
      title: { en: 'Register the application', de: 'Anwendung registrieren' },
      text: [
        {
          en: 'Sign in at tumblr.com with the account of your organisation, open tumblr.com/oauth/apps and choose *Register application*. Enter a name, which people read on the consent page, your website and a description.',
          de: 'Melde dich auf tumblr.com mit dem Konto deiner Organisation an, öffne tumblr.com/oauth/apps und wähle *Register application*. Gib einen Namen, den alle auf der Zustimmungsseite lesen, deine Website und eine Beschreibung ein.',
        },
      ],
      values: ['name', 'website'],
    },
    {
      title: { en: 'Enter the redirect URL', de: 'Redirect-URL eintragen' },
      text: [
        {
          en: 'Enter the address in *OAuth2 redirect URLs*. Without one, Tumblr offers OAuth 2 to no application. *Default callback URL* is for the older sign-in; it must be filled in too and may be the same.',
          de: 'Trage die Adresse in *OAuth2 redirect URLs* ein. Ohne eine bietet Tumblr keiner Anwendung OAuth 2 an. *Default callback URL* gehört zur älteren Anmeldung; auch sie muss ausgefüllt sein und darf dieselbe sein.',
        },
      ],
      values: ['redirectUrl'],
    },
    {
      title: { en: 'Copy key and secret', de: 'Schlüssel und Secret kopieren' },
      text: [
        {
          en: 'The list of applications shows *OAuth Consumer Key* and, after *Show secret key*, the secret. The permissions need no setting: people agree to them when they connect.',
          de: 'Die Liste der Anwendungen zeigt *OAuth Consumer Key* und nach *Show secret key* das Secret. Die Berechtigungen muss man nicht einstellen: man stimmt ihnen beim Verbinden zu.',
        },
      ],
      values: ['scopes'],
    },
    {
      title: { en: 'Connect and choose the blog', de: 'Verbinden und den Blog wählen' },
      text: [
        {
          en: 'After the consent the connection posts to the primary blog. Another one is chosen in Integrations.',
          de: 'Nach der Zustimmung schreibt die Verbindung in den Hauptblog. Einen anderen wählt man unter Integrationen.',
        },
      ],
    },
    {
      title: { en: 'Ask for more calls, if many people connect', de: 'Mehr Aufrufe erbitten, wenn viele sich verbinden' },
      text: [
        {
          en: 'A new application has 1,000 calls an hour and 5,000 a day, for all people together. The list of applications has a link with which more are asked for.',
          de: 'Eine neue Anwendung hat 1.000 Aufrufe in der Stunde und 5.000 am Tag, für alle zusammen. In der Liste der Anwendungen gibt es einen Link, mit dem man mehr erbittet.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'Tumblr does not know the redirect URL', de: 'Tumblr kennt die Redirect-URL nicht' },
      cure: {
        en: 'The address in *OAuth2 redirect URLs* differs from this one, if only by a letter, or stands only in *Default callback URL*.',
        de: 'Die Adresse in *OAuth2 redirect URLs* weicht von dieser ab, und sei es um einen Buchstaben, oder sie steht nur in *Default callback URL*.',
      },
    },
    {
      sign: { en: 'Posts are sent late', de: 'Beiträge gehen spät hinaus' },
      cure: {
        en: 'The calls of the app are used up, or a person has published 250 posts, 250 images or 20 videos on this day, on all their blogs together.',
        de: 'Die Aufrufe der App sind verbraucht, oder eine Person hat an diesem Tag auf allen ihren Blogs zusammen 250 Beiträge, 250 Bilder oder 20 Videos veröffentlicht.',
      },
    },
    {
      sign: { en: 'A video does not appear', de: 'Ein Video erscheint nicht' },
      cure: {
        en: 'Tumblr converts it first, and only one video of an account at a time. It tells no program that a video could not be converted; the dashboard does.',
        de: 'Tumblr wandelt es erst um, und nur ein Video eines Kontos zur selben Zeit. Dass ein Video nicht umgewandelt werden konnte, sagt es keinem Programm, sondern nur im Dashboard.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/tumblr/docs/blob/master/api.md', on: '2026-11-19' },
    { url: 'https://github.com/tumblr/docs/issues/134', on: '2026-11-19' },
    { url: 'https://docs.allauth.org/en/latest/socialaccount/providers/tumblr_oauth2.html', on: '2026-11-19' },
  ],
}
