/** What customers of Harbor & Pine, an outdoor shop that does not exist, write about. `{order}` and the like are filled in. */
export type Topic = {
  name: string
  articles: readonly [string, ...string[]]
  tool: { name: string; arguments: readonly string[]; result: Readonly<Record<string, string | number | boolean>> }
  openings: readonly [string, ...string[]]
  exchanges: readonly [readonly [question: string, answer: string], ...(readonly [string, string])[]]
}

export const topics: readonly [Topic, ...Topic[]] = [
  {
    name: 'order-status',
    articles: ['How long does delivery take?', 'Tracking a parcel', 'When a parcel is late'],
    tool: {
      name: 'lookup_order',
      arguments: ['order'],
      result: { status: 'in_transit', carrier: 'Nordpost', last_scan: '{city} sorting centre', promised_in_days: 2 },
    },
    openings: [
      'Hi, where is my order {order}? It said Tuesday and it is Thursday.',
      'Order {order} has not moved for three days. Is it lost?',
      'Could you check on {order} please? I leave for a trip on Saturday and need the {product}.',
    ],
    exchanges: [
      [
        '{opening}',
        'I found order {order}. Nordpost scanned it at the {city} sorting centre last night and expects to deliver within two working days. I am sorry it is behind the date we gave you.',
      ],
      [
        'Can I have it held at a pick-up point instead?',
        'Yes. There is a Nordpost point at {street}, open until 20:00. I have asked them to hold it there; you will get a code by text message when it arrives.',
      ],
      [
        'Do I need to show ID?',
        'The code is enough up to 200 in value. Above that they ask for a photo ID, a driving licence will do.',
      ],
      [
        'And if it does not come by Saturday?',
        'Then write back here with the order number. We will send a second {product} by express and sort the first one out with the carrier ourselves.',
      ],
      ['Perfect, thank you!', 'You are welcome, {name}. Have a good trip.'],
    ],
  },
  {
    name: 'return',
    articles: ['Returning something within 60 days', 'What cannot be returned', 'When will I see my money?'],
    tool: {
      name: 'create_return_label',
      arguments: ['order', 'item'],
      result: { label_id: 'RL-{number}', carrier: 'Nordpost', valid_days: 14, free_of_charge: true },
    },
    openings: [
      'I would like to return the {product} from {order}, it is smaller than it looked.',
      'How do I send back a {product}? Unworn, tags on.',
      'The {product} is lovely but not for me. What do I do to return it?',
    ],
    exchanges: [
      [
        '{opening}',
        'No problem. Unused items can come back within 60 days. I made you a free label, RL-{number}: print it or show the code at any Nordpost point.',
      ],
      [
        'I no longer have the box.',
        'Any sturdy box is fine. Please put the paper slip inside so that the warehouse knows whose it is.',
      ],
      [
        'When do I get my money back?',
        'Within five working days after the parcel reaches us, to the card you paid with. Your bank may take two more.',
      ],
      [
        'Can I swap it for the next size instead?',
        'Yes, the next size is in stock. I can reserve one for seven days; it ships the moment the carrier scans your return. Shall I?',
      ],
      ['Yes please.', 'Done. It is reserved under {order} until next week and you will get a confirmation by mail.'],
    ],
  },
  {
    name: 'damaged',
    articles: ['Something arrived damaged', 'Warranty on tents and bags'],
    tool: {
      name: 'open_claim',
      arguments: ['order', 'item', 'photos'],
      result: { claim: 'C-{number}', decision: 'replace', warehouse: '{city}' },
    },
    openings: [
      'The {product} I got today has a tear along the seam. Order {order}.',
      'One of the poles of my {product} snapped on the second night. I am quite disappointed.',
      'My parcel {order} arrived soaked and the {product} has a stain now.',
    ],
    exchanges: [
      [
        '{opening}',
        'I am sorry, that is not how a {product} should arrive. I opened claim C-{number}. Could you add one photo of the damage and one of the label?',
      ],
      [
        'Photos are attached.',
        'Thank you, they are clear. The claim is accepted: a new {product} leaves {city} tomorrow and you need not send the old one back.',
      ],
      [
        'Could I get a refund rather than a new one?',
        'Of course. I changed the claim to a refund of {amount}; it goes to your card within five working days.',
      ],
      ['Is the replacement from the same batch?', 'No. That batch is being checked, and yours comes from the one after it.'],
    ],
  },
  {
    name: 'sizing',
    articles: ['Size chart: jackets', 'Size chart: boots', 'How our packs are measured'],
    tool: {
      name: 'search_products',
      arguments: ['query', 'size'],
      result: { in_stock: 14, size: '{size}', returns_rate: 0.06, reviews: 212 },
    },
    openings: [
      'I am 182 cm and between two sizes. Which {product} should I take?',
      'Do your boots run small? I usually wear {size}.',
      'Is the {product} cut for layering underneath?',
    ],
    exchanges: [
      [
        '{opening}',
        'Most people between sizes keep the larger one: of 212 reviews of the {product}, four in five call it true to size and the rest say slim. I would take {size}.',
      ],
      [
        'And with a thick fleece below?',
        'Then certainly {size}. There is room for a mid layer at the shoulders, less so at the waist.',
      ],
      ['How long are the sleeves?', '66 cm in {size}, measured from the shoulder seam, with an adjustable cuff.'],
      [
        'Is it waterproof or just water repellent?',
        'Waterproof: 15,000 mm and taped seams. The zip is water repellent only and has a flap behind it.',
      ],
    ],
  },
  {
    name: 'double-charge',
    articles: ['Reservations on your card', 'Why do I see two charges?'],
    tool: {
      name: 'list_payments',
      arguments: ['order'],
      result: { captured: 1, authorised: 1, amount: '{amount}', releases_in_days: 3 },
    },
    openings: [
      'You charged me twice for {order}!! Please fix this today.',
      'I see two payments of {amount} for one order. Why?',
      'My bank shows {amount} two times, order {order}.',
    ],
    exchanges: [
      [
        '{opening}',
        'I looked at the payments of {order}: one of {amount} was taken, the other is a reservation that never became a charge. It leaves your statement in about three days.',
      ],
      [
        'My bank says both are final.',
        'I understand. Here is the reference they need, HP-{number}: with it they can see on their side that only one was captured. If they still cannot, I will refund the second by hand.',
      ],
      [
        'Why is there a reservation at all?',
        'The bank drops the first one when a card asks for confirmation in its app, and sometimes it takes its time.',
      ],
      [
        'OK. I will wait until Friday.',
        'Thank you, {name}. I set a reminder to look at it on Friday morning, before you have to.',
      ],
    ],
  },
  {
    name: 'cancel',
    articles: ['Changing or cancelling an order', 'Changing the delivery address'],
    tool: {
      name: 'cancel_order',
      arguments: ['order', 'reason'],
      result: { cancelled: true, refund: '{amount}', was_packed: false },
    },
    openings: [
      'Please cancel {order}, I ordered the wrong colour.',
      'Can I still change the address of {order}? I moved last month.',
      'I clicked twice and now have two orders. Cancel {order} please.',
    ],
    exchanges: [
      [
        '{opening}',
        'It was not packed yet, so I could still change that. {order} is cancelled and {amount} goes back to your card.',
      ],
      [
        'Can you place it again with the new address, {street}?',
        'I may not order in your name, but I put everything back into your basket with the new address. Two clicks and it is done.',
      ],
      ['Will I keep the discount?', 'Yes, the code works once more for your account until the end of the week.'],
    ],
  },
  {
    name: 'flight',
    articles: ['Stoves and fuel on planes', 'Batteries and power banks'],
    tool: {
      name: 'search_products',
      arguments: ['query', 'category'],
      result: { in_stock: 31, category: 'stoves', used_fuel: 'gas', airline_note: 'burner only, clean and dry' },
    },
    openings: [
      'May I take the {product} on a plane?',
      'Flying to {city} next week with a camping stove. Is that allowed?',
      'Is the power bank you sell okay for hand luggage?',
    ],
    exchanges: [
      [
        '{opening}',
        'The burner yes, if it is clean and dry and goes in checked luggage; fuel never. Most airlines want to be told beforehand, so ask yours.',
      ],
      ['Can I buy gas in {city}?', 'Yes, screw-on cartridges are sold in most outdoor shops there, and in some petrol stations.'],
      ['Which cartridge fits?', 'Any with the EN 417 thread. The 230 g one boils about eleven litres in summer.'],
      ['What about a used pot?', 'Pots are fine anywhere. Wash off the soot, security looks twice at black powder.'],
    ],
  },
  {
    name: 'invoice',
    articles: ['Where is my invoice?', 'Buying for a company'],
    tool: {
      name: 'issue_invoice',
      arguments: ['order', 'vat_id'],
      result: { invoice: 'I-{number}', total: '{amount}', vat_rate: 0.19 },
    },
    openings: [
      'I need an invoice for {order} with our VAT number on it.',
      'Our accountant asks for a proper invoice for the {product}.',
      'Could you reissue the invoice of {order} to our company?',
    ],
    exchanges: [
      ['{opening}', 'Gladly. I issued I-{number} over {amount} with your VAT number and sent it to the address of the order.'],
      [
        'The street is wrong, it should be {street}.',
        'Corrected: I-{number} is replaced by I-{number}-2 with {street}, the old one is void.',
      ],
      [
        'Can all future orders do that by themselves?',
        'Yes, tick "company" in your account and save the number there; every invoice carries it from then on.',
      ],
    ],
  },
]

export const products = [
  'Fjell 2 tent',
  'Tarn 45 pack',
  'Skarv rain jacket',
  'Ember stove',
  'Heather down quilt',
  'Cairn boots',
  'Loch dry bag',
] as const
export const cities = ['Gothenburg', 'Lübeck', 'Tromsø', 'Aarhus', 'Gdańsk', 'Tallinn', 'Rotterdam'] as const
export const streets = ['Linnégatan 14', 'Mühlenstraße 3', 'Storgata 88', 'Vestergade 21b', 'Piwna 7'] as const
export const names = ['Maja', 'Jonas', 'Aino', 'Björn', 'Chidi', 'Zofia', 'Mei', 'Tomás', 'Leila', 'Oskar'] as const
