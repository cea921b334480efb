-- A pause can be lifted by stages; where it stands is kept beside it.
alter table holdfast.pause add column ramp text not null default '';
