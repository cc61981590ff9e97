"""Sentences on which precisions are compared: of letters, papers, contracts, recipes, novels and questions."""

SENTENCES = tuple(
    """
The ferry leaves at six.
Why is the sky blue?
No.
She closed the window and went back to her desk.
Total assets rose by 4.2% to EUR 18.6 million in the third quarter of 2019.
The tenant shall give written notice of at least three months before the lease ends.
We propose a method that needs no labelled data and runs on a laptop.
How do I reset the password of an account that I no longer have the e-mail address of?
Simmer the lentils for twenty minutes, then stir in the spinach and a squeeze of lemon.
It had rained all night, and the river stood so high that the lower meadows had become a lake.
Figure 3 shows the error as a function of the number of layers.
"You will not find him here," said the old woman, "for he sailed with the herring fleet on Tuesday."
The committee approved the minutes of the previous meeting.
Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.
My card was charged twice for the same purchase.
The patient reported no pain, but the swelling of the left knee had not gone down.
A theorem of this kind was first proved by Gauss.
Please find attached the revised schedule.
The bridge, built in 1887 of wrought iron, was closed to lorries when cracks were found in two of its girders.
What is the difference between a virus and a bacterium?
Dogs are not allowed on the beach between May and September.
The sample was heated to 350 degrees for two hours and cooled slowly in argon.
Nobody believed her at first.
He plays the violin better than anyone else in the orchestra.
A man is slicing an onion in a kitchen.
Someone cuts vegetables.
The results do not support the hypothesis that sleep alone explains the effect.
Unemployment fell for the fifth month in a row, although fewer people were looking for work.
Turn left after the church and follow the path along the wall until you reach a small green gate.
Interest is calculated daily and paid at the end of each calendar year.
The engine would not start because the battery was flat.
This software is provided as it is, without warranty of any kind.
Can I take a refund instead of a voucher if the concert is cancelled?
The glacier has lost a third of its volume since the first measurements were made.
Let G be a finite group and let H be a subgroup whose index is the smallest prime that divides the order of G.
She had never liked the house.
Children under twelve travel free when they are accompanied by an adult.
The wind tunnel measurements agree with the theory at low angles of attack and depart from it near the stall.
Two chairs, a table and a lamp were all the furniture there was.
The minister denied that the report had been held back.
Add a pinch of salt.
The mean age of the participants was 43.7 years (standard deviation 12.1), and 58 of them were women.
I have been waiting for my new card for over a week.
In the beginning nobody at the company took the idea seriously; ten years later it paid everybody's wages.
The museum is open daily except on Mondays.
Water freezes at zero degrees Celsius.
Ice forms when the temperature of water falls to 0 C.
The contract may be terminated by either party.
An octopus has three hearts and blue blood.
It was the best soup that he had eaten since the war.
The train to Edinburgh was cancelled owing to snow on the line.
Data were collected from 1,204 households by telephone.
The author would like to thank two anonymous reviewers.
After the storm the fishermen mended their nets in silence, each thinking of the boat that had not come home.
Prices include tax.
Which medicines should not be taken together with grapefruit juice?
The new law makes it easier for small firms to employ apprentices.
A neural network with one hidden layer can approximate any continuous function on a compact set.
They quarrelled about money.
The court found that the warning on the label was too small to be read.
Snow lay on the roofs, and smoke rose straight up from every chimney in the village.
The password must have at least twelve characters.
Her grandfather had come from Odessa with nothing but a trunk of books and the address of a cousin.
If the light blinks red, switch the machine off, wait for a minute, and switch it on again.
""".strip().splitlines()
)
