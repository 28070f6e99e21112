"""From text, notes or code to a document in the house style: outline, sections, assembly, heal loop, delivery."""
